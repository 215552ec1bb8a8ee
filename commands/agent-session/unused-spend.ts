import { monthOf } from '../../contracts/calendar-month.ts';
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

export interface RefundPorts extends CommandPorts {
  readonly store: Pick<EventStore, 'readStream'>;
}

type EndedTurn = Pick<DataOf<AgentSessionEvent, 'TurnSettled'>, 'agentSessionId' | 'accountId' | 'turnId'>;

/**
 * Refunds the counted use of the bundled model of a turn that has ended, unless it has recorded use that the provider reported, or was
 * refunded. The process of the turn does so too, unless it died before.
 */
export async function refundUnused(
  ports: RefundPorts,
  turn: EndedTurn,
  context: CommandContext,
): Promise<void> {
  const admittedAt = await admittedUnused(ports, turn);
  if (admittedAt === undefined) return;
  // It was counted for the month in which its message arrived, shortly before its admission by the clock of that time. The other month
  // has not counted it, and is not changed.
  const around = [after(admittedAt, -dayMs), after(admittedAt, dayMs)];
  for (const beganAt of new Map(around.map((at) => [monthOf(at), at])).values())
    await returnSpend(ports, turn.accountId, { turnId: turn.turnId, beganAt }, context);
}

/** When the turn was admitted, ISO 8601; undefined if it has recorded use of the bundled model, or of a key of the account. */
async function admittedUnused(
  { store }: RefundPorts,
  { agentSessionId, turnId }: EndedTurn,
): Promise<string | undefined> {
  const newestFirst = { direction: 'backwards' } as const;
  for await (const event of store.readStream(
    streamOf(agentSessionEvents, uuidOf(agentSessionId)),
    newestFirst,
  )) {
    if (!hasKnownType<AgentSessionEvent>(agentSessionEvents, event)) continue;
    if (!isOfTurn(event) || event.data.turnId !== turnId) continue;
    if (keepsCount(event)) return undefined;
    if (event.type === 'TurnAdmitted') return event.data.at;
  }
  return undefined;
}

/** Whether what the turn has counted stays: its use was reported, or nothing was counted, because it has a key of the account. */
function keepsCount(event: AgentSessionEvent): boolean {
  if (event.type !== 'TurnDecomposed' && event.type !== 'TurnReadBack') return false;
  const { decomposerKind: kind, inputTokens } = event.data.usage;
  return kind === 'own_key' || (kind === 'bundled' && inputTokens !== null);
}
