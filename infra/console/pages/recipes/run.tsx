import { useSignal, type Signal } from '@preact/signals';
import { useLocation } from 'preact-iso';
import { agents, type Recipe, type RecipeParameter } from '../../../../contracts/client/index.ts';
import { Choice, Field, Form } from '../../parts/form.tsx';
import { addressOf } from '../../parts/places.ts';
import { connection } from '../../service.ts';
import { words } from './strings.ts';

const initialOf = ({ type, default: initial }: RecipeParameter): string =>
  initial === undefined ? (type === 'boolean' ? 'false' : '') : String(initial);

/** Starts an agent session that runs the steps with the given values, and opens its page, which shows the progress. */
export function Run({ of: recipe }: { readonly of: Recipe }) {
  const { route } = useLocation();
  const values = recipe.parameters.map((parameter) => ({
    parameter,
    value: useSignal(initialOf(parameter)),
  }));
  const run = async () => {
    const agent = await agents(connection).create({ mode: 'ai' });
    const parameters = Object.fromEntries(
      values.map(({ parameter: { name, type }, value }) => [
        name,
        type === 'boolean' ? value.value === 'true' : value.value,
      ]),
    );
    // That page follows the turn by the transcript, so the answer is not needed.
    void Promise.resolve(agent.send(recipe.name, { recipe_id: recipe.id, parameters })).catch(
      () => undefined,
    );
    route(addressOf(`/agents/${agent.id}`));
  };
  return (
    <>
      <p>{words.runText}</p>
      <Form submit={words.run} onSubmit={run}>
        {values.map(({ parameter, value }) => (
          <Value key={parameter.name} of={parameter} value={value} />
        ))}
      </Form>
    </>
  );
}

interface ValueProps {
  readonly of: RecipeParameter;
  readonly value: Signal<string>;
}

const Value = ({ of: { name, type, sensitive }, value }: ValueProps) =>
  type === 'boolean' ? (
    <Choice label={name} value={value} options={{ true: words.yes, false: words.no }} />
  ) : (
    <Field label={name} value={value} type={sensitive ? 'password' : 'text'} autocomplete="off" />
  );
