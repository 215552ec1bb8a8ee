import { dayMs } from '../../contracts/durations.ts';
import { agentSessionEvents, type AgentSessionEvent } from '../../contracts/events/agent-session.ts';
import { streamOf } from '../../contracts/events/catalogue.ts';
import { uuidOf } from '../../contracts/ids.ts';
import { isOfTurn } from '../../domain/agent-session/turns.ts';
import type { DataOf } from '../../domain/kit/decider.ts';
import { after } from '../../domain/kit/time.ts';
import type { EventStore } from '../../infra/event-store/client/types.ts';
import { returnSpend } from '../bundled-llm.ts';
import type { CommandContext } from '../engine/context.ts';
import { hasKnownType } from '../engine/recording.ts';
import type { CommandPorts } from '../engine/runner.ts';

export interface AbandonedTurnPorts extends CommandPorts {
  readonly store: Pick<EventStore, 'readStream'>;
}

type Abandoned = DataOf<AgentSessionEvent, 'TurnAbandoned'>;

/**
 * Refunds the counted use of the bundled model of a turn whose process died, unless the turn has recorded use that the provider
 * reported.
 */
export async function refundAbandoned(
  ports: AbandonedTurnPorts,
  turn: Abandoned,
  context: CommandContext,
): Promise<void> {
  const admittedAt = await admittedUnused(ports, turn);
  if (admittedAt === undefined) return;
  // It was counted for the month in which its message arrived, shortly before its admission by the clock of that time. The other month
  // has not counted it, and is not changed.
  for (const beganAt of [after(admittedAt, -dayMs), after(admittedAt, dayMs)])
    await returnSpend(ports, turn.accountId, { turnId: turn.turnId, beganAt }, context);
}

/** When the turn was admitted, ISO 8601; undefined if it has recorded use of the bundled model. */
async function admittedUnused(
  { store }: AbandonedTurnPorts,
  { agentSessionId, turnId }: Abandoned,
): Promise<string | undefined> {
  const newestFirst = { direction: 'backwards' } as const;
  for await (const event of store.readStream(
    streamOf(agentSessionEvents, uuidOf(agentSessionId)),
    newestFirst,
  )) {
    if (!hasKnownType<AgentSessionEvent>(agentSessionEvents, event)) continue;
    if (!isOfTurn(event) || event.data.turnId !== turnId) continue;
    if (isReportedUse(event)) return undefined;
    if (event.type === 'TurnAdmitted') return event.data.at;
  }
  return undefined;
}

const isReportedUse = (event: AgentSessionEvent): boolean =>
  (event.type === 'TurnDecomposed' || event.type === 'TurnReadBack') &&
  event.data.usage.decomposerKind === 'bundled' &&
  event.data.usage.inputTokens !== null;
