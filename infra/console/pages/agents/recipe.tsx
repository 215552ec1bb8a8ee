import { useSignal } from '@preact/signals';
import { agents, recipes, type RecipeSuggestion } from '../../../../contracts/client/index.ts';
import { dayMs } from '../../../../contracts/durations.ts';
import { Field, Form } from '../../parts/form.tsx';
import { Opens } from '../../parts/opens.tsx';
import { Read } from '../../parts/read.tsx';
import { Id } from '../../parts/record.tsx';
import { connection } from '../../service.ts';
import { filled } from '../../strings.ts';
import { words } from './strings.ts';

/** Saves the agent's steps as a recipe, after showing how many they are. */
export function SaveAsRecipe({ id }: { readonly id: string }) {
  const saved = useSignal<string | undefined>(undefined);
  return (
    <>
      <Opens label={words.recipe}>
        {(close) => (
          <Read what={id} read={() => agents(connection).recipeSuggestion(id)} everyMs={dayMs}>
            {(suggested) => (
              <Suggested
                id={id}
                suggested={suggested}
                onSaved={(recipe) => {
                  saved.value = recipe;
                  close();
                }}
              />
            )}
          </Read>
        )}
      </Opens>
      <span role="status">
        {saved.value && (
          <>
            {`${words.recipeSaved} `}
            <Id id={saved.value} />
          </>
        )}
      </span>
    </>
  );
}

interface SuggestedProps {
  readonly id: string;
  readonly suggested: RecipeSuggestion;
  readonly onSaved: (recipe: string) => void;
}

function Suggested({ id, suggested: { suggestion, reason = '' }, onSaved }: SuggestedProps) {
  const name = useSignal('');
  if (suggestion === null) return <p>{filled(words.noRecipe, { why: reason })}</p>;
  const { steps, parameters, omitted } = suggestion;
  const save = async () => {
    const given = name.value === '' ? {} : { name: name.value };
    onSaved((await recipes(connection).create({ agent_session_id: id, ...given })).id);
  };
  return (
    <Form submit={words.recipe} onSubmit={save}>
      <p>{filled(words.recipeText, { count: steps.length, parameters: parameters.length, omitted })}</p>
      <Field label={words.recipeName} value={name} isOptional maxLength={120} />
    </Form>
  );
}
