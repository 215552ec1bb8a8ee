import { sealedFields } from '../../../contracts/events/agent-session.ts';
import { uuidOf } from '../../../contracts/ids.ts';
import { refuse } from '../../../contracts/problems.ts';
import { presentAgentSession } from '../../../contracts/resources/agent-session.ts';
import type { Intent, MessageAnswer } from '../../../contracts/resources/agent-turn.ts';
import { agentSession } from '../../../domain/agent-session/agent-session.ts';
import { exists } from '../../../domain/agent-session/state.ts';
import { tooLate } from '../../../domain/kit/record.ts';
import { after } from '../../../domain/kit/time.ts';
import type { Position } from '../../../infra/event-store/client/types.ts';
import { now, ownedStep } from '../../engine/context.ts';
import { withoutTypedSecrets } from '../../../infra/model/sensitive.ts';
import type { Understood } from '../../../infra/model/port.ts';
import type { Order, TurnPorts } from './ports.ts';
import { answerOf, nothingYet, settledEntry } from './record.ts';
import { RunningTurn } from './running-turn.ts';
import { hiddenValues } from './hidden-values.ts';
import { guessedSecrets, secretsIn, withoutSecrets } from './secrets.ts';

export interface Answered {
  readonly body: MessageAnswer;
  /** Position of the last event. */
  readonly position: Position | undefined;
}

/** An admitted message: already answered, or with a turn to run. */
export type Admitted = Answered | { readonly turn: RunningTurn; readonly understood: Understood };

/**
 * Admits a message in the agent session's present mode, in one append. Refuses it while the agent does not have control, or another turn
 * runs; a refusal has no effect.
 */
export async function admit(ports: TurnPorts, order: Order): Promise<Admitted> {
  const { turnId, found, caller, receivedAt } = order;
  const { decomposer, turnLeaseMs, admitWithinMs } = ports.settings;
  const understood = understand(ports, order);
  const asksModel = !understood.covers && decomposer !== 'deterministic';
  const sealed = await sealedBodies(ports, order, understood.covers ? understood.intents : []);
  const at = now(ports);
  if (Date.parse(at) - receivedAt.getTime() > admitWithinMs) throw tooLate();
  const leaseExpiresAt = after(at, turnLeaseMs);
  const command = { type: 'AdmitMessage', turnId, asksModel, ...sealed, leaseExpiresAt, at } as const;
  const context = ownedStep({ ...caller.context, commandId: turnId }, found.accountId, 'admit');
  const outcome = await ports.runner.run(agentSession, uuidOf(found.id), command, context);
  const { state, events, position } = outcome;
  if (!exists(state)) throw refuse('not-found');
  const types = new Set(events.map(({ type }) => type));
  if (types.has('MessageLogged'))
    return { body: { kind: 'logged-manual', session: presentAgentSession(state) }, position };
  if (types.has('TurnSettled')) return { body: answerOf(nothingYet(order), state), position };
  return { turn: new RunningTurn(ports, order, outcome), understood };
}

/** Afterwards the message either was admitted or never can be: of this append and that of a late request, one wins. */
export async function withdraw(
  ports: TurnPorts,
  { found, caller, turnId }: Pick<Order, 'found' | 'caller' | 'turnId'>,
): Promise<void> {
  const command = { type: 'WithdrawMessage', turnId, at: now(ports) } as const;
  const context = ownedStep(caller.context, found.accountId, `withdraw ${turnId}`);
  await ports.runner.run(agentSession, uuidOf(found.id), command, context);
}

/** The steps of a recipe, or the grammar's plan if the grammar may be used. */
function understand({ grammar, settings }: TurnPorts, { recipe, message }: Order): Understood {
  if (recipe !== null) return { covers: true, intents: recipe.intents };
  return settings.decomposer === 'model'
    ? { covers: false, understood: [], rest: message }
    : grammar(message);
}

async function sealedBodies({ vault }: TurnPorts, order: Order, intents: readonly Intent[]) {
  const { message, variables, turnId, found } = order;
  const said = withoutSecrets(withoutTypedSecrets(message), [
    ...secretsIn(intents),
    ...guessedSecrets(message),
    ...hiddenValues(variables),
  ]);
  const seal = (field: string, value: unknown) => vault.seal(found.accountId, field, JSON.stringify(value));
  const [sealedMessage, sealedExhausted] = await Promise.all([
    seal(sealedFields.message(turnId), { body: said }),
    seal(sealedFields.answer(turnId), settledEntry(nothingYet(order))),
  ]);
  return { sealedMessage, sealedExhausted };
}
