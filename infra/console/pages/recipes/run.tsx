import { useSignal, type Signal } from '@preact/signals';
import { useLocation } from 'preact-iso';
import {
  UnknownOutcome,
  agents,
  type AgentHandle,
  type Recipe,
  type RecipeParameter,
  type Turn,
} from '../../../../contracts/client/index.ts';
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
    const parameters = Object.fromEntries(
      values.map(({ parameter: { name, type }, value }) => [
        name,
        type === 'boolean' ? value.value === 'true' : value.value,
      ]),
    );
    const agent = await agents(connection).create({ mode: 'ai' });
    await begun(agent, agent.send(recipe.name, { recipe_id: recipe.id, parameters }));
    // That page follows the turn by the transcript.
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

/**
 * Resolves once the message is in the transcript, or its turn is over. If the message was refused, ends the unused
 * agent session and rejects.
 */
async function begun(agent: AgentHandle, turn: Turn): Promise<void> {
  const following = new AbortController();
  const over = Promise.resolve(turn).then(() => undefined);
  try {
    await Promise.race([over, firstEntryOf(agent, following.signal).catch(() => over)]);
  } catch (error) {
    // If the outcome is unknown, the turn may be running.
    if (!(error instanceof UnknownOutcome)) await agent.end().catch(() => undefined);
    throw error;
  } finally {
    following.abort();
  }
}

async function firstEntryOf(agent: AgentHandle, signal: AbortSignal): Promise<void> {
  const entries = agent.transcript({ signal });
  await entries.next();
  await entries.return();
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
