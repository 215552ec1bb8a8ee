import {
  agentSessionEvents,
  sealedFields,
  type AgentSessionEvent,
} from '../../contracts/events/agent-session.ts';
import { streamOf } from '../../contracts/events/catalogue.ts';
import { uuidOf } from '../../contracts/ids.ts';
import type { IntentResult } from '../../contracts/resources/agent-turn.ts';
import type { ExistingAgentSession } from '../../domain/agent-session/state.ts';
import type { EventStore } from '../../infra/event-store/client/types.ts';
import { Cache } from '../../infra/platform/cache.ts';
import { AccountErased, type Vault } from '../../infra/vault/index.ts';
import { hasKnownType } from '../engine/recording.ts';
import { openJson } from './find.ts';
import { lineOf } from './turn/record.ts';

export interface TurnStepsPorts {
  readonly store: Pick<EventStore, 'readStream'>;
  readonly vault: Pick<Vault, 'open'>;
}

/** Cached turns, for as long as a turn may take. */
const kept = { maxEntries: 500, maxAgeMs: 10 * 60_000 };
/** Maximum length of a step in characters; the transcript has all of it. */
const longestStep = 500;

/** Steps of the turn under way, one line each, as in its transcript entry. */
export function createTurnSteps(ports: TurnStepsPorts) {
  const known = new Cache<string, readonly string[]>(kept);
  return async (state: ExistingAgentSession): Promise<readonly string[]> => {
    const { turn } = state;
    if (turn === null || turn.settled === 0) return [];
    const before = known.get(turn.turnId) ?? [];
    if (before.length >= turn.settled) return before.slice(0, turn.settled);
    const steps = [...before, ...(await stepsFrom(ports, state, turn.turnId, before.length))];
    known.set(turn.turnId, steps);
    return steps;
  };
}

async function stepsFrom(
  { store, vault }: TurnStepsPorts,
  { agentSessionId, accountId }: ExistingAgentSession,
  turnId: string,
  from: number,
): Promise<readonly string[]> {
  const steps: string[] = [];
  const newestFirst = { direction: 'backwards' } as const;
  try {
    for await (const event of store.readStream(
      streamOf(agentSessionEvents, uuidOf(agentSessionId)),
      newestFirst,
    )) {
      if (!hasKnownType<AgentSessionEvent>(agentSessionEvents, event)) continue;
      if (event.type === 'TurnAdmitted') break;
      if (event.type !== 'IntentSettled' || event.data.turnId !== turnId) continue;
      const { index, sealedResult } = event.data;
      if (index < from) break;
      const field = sealedFields.result(turnId, index);
      const result = await openJson<IntentResult>({ vault }, { accountId }, field, sealedResult);
      steps.unshift(lineOf(result).slice(0, longestStep));
    }
    return steps;
  } catch (error) {
    if (error instanceof AccountErased) return [];
    throw error;
  }
}
