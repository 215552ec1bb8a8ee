import { useLocation, useRoute } from 'preact-iso';
import { recipes, type Recipe, type RecipeStep } from '../../../../contracts/client/index.ts';
import { Act } from '../../parts/act.tsx';
import { Page } from '../../parts/card.tsx';
import { History } from '../../parts/history.tsx';
import { Opens } from '../../parts/opens.tsx';
import { addressOf } from '../../parts/places.ts';
import { Read } from '../../parts/read.tsx';
import { Facts, Id, Json, Time } from '../../parts/record.tsx';
import { Table, type Column } from '../../parts/table.tsx';
import { connection } from '../../service.ts';
import { Run } from './run.tsx';
import { words } from './strings.ts';

const service = recipes(connection);

interface Numbered {
  readonly number: number;
  readonly step: RecipeStep;
}

const columns: readonly Column<Numbered>[] = [
  { name: words.step, cell: ({ number, step }) => `${number}. ${step.kind}` },
  { name: words.target, cell: ({ step: { target } }) => target && (target.text || target.selector) },
  {
    name: words.more,
    cell: ({ step: { kind: _kind, target: _target, ...more } }) => <Json value={more} />,
    isMinor: true,
  },
];

/** One recipe: steps, parameters, and a way to run it. */
export function RecipePage() {
  const { id = '' } = useRoute().params;
  const { route } = useLocation();
  const remove = async () => {
    await service.delete(id);
    route(addressOf('/recipes'));
  };
  return (
    <Read what={id} read={() => service.get(id)}>
      {(recipe) => (
        <Page
          title={recipe.name}
          actions={
            <>
              <Opens label={words.run} title={recipe.name} kind="main">
                {() => <Run of={recipe} />}
              </Opens>
              <Act
                label={words.delete}
                kind="danger"
                question={{ title: words.deleteTitle, text: words.deleteText, confirm: words.delete }}
                act={remove}
              />
            </>
          }
        >
          <What of={recipe} />
          <h2>{words.steps}</h2>
          <Table
            name={words.steps}
            items={recipe.steps.map((step, index) => ({ number: index + 1, step }))}
            keyOf={({ number }) => String(number)}
            columns={columns}
          />
          <History read={(asked) => service.past(id, asked)} />
        </Page>
      )}
    </Read>
  );
}

const What = ({ of: recipe }: { readonly of: Recipe }) => (
  <Facts
    of={[
      [words.recipe, <Id id={recipe.id} isHere />],
      [words.description, recipe.description],
      [words.parameters, recipe.parameters.map(({ name }) => name).join(', ') || words.noParameters],
      [words.from, <Id id={recipe.agent_session_id} />],
      [words.archetype, recipe.archetype],
      [words.version, recipe.version],
      [words.created, <Time at={recipe.created_at} />],
    ]}
  />
);
