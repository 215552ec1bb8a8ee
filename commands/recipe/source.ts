import { createHash } from 'node:crypto';
import {
  agentSessionEvents,
  sealedFields,
  type AgentSessionEvent,
  type SealedStart,
} from '../../contracts/events/agent-session.ts';
import { streamOf } from '../../contracts/events/catalogue.ts';
import { uuidOf, type SessionId } from '../../contracts/ids.ts';
import type { IntentResult } from '../../contracts/resources/agent-turn.ts';
import type { RecipeContents } from '../../contracts/resources/recipe.ts';
import { Suggesting, type PastTurn, type Suggestion } from '../../domain/recipe/suggestion.ts';
import type { EventStore } from '../../infra/event-store/client/types.ts';
import { AccountErased, type Vault } from '../../infra/vault/index.ts';
import { openJson } from '../agent-session/find.ts';
import type { OwnedAgentSession } from '../agent-session/index.ts';
import { hasKnownType } from '../engine/recording.ts';

export interface SourcePorts {
  readonly store: Pick<EventStore, 'readStream'>;
  readonly vault: Pick<Vault, 'open'>;
}

/** The history of an agent session, from its events. */
export interface Source {
  readonly outcome: Suggestion;
  /** SHA-256 over the events, in hexadecimal digits. */
  readonly hash: string;
  /** The last driver session that it held. */
  readonly sessionId: SessionId | null;
}

/** A turn, as far as read. */
interface Reading {
  ok: boolean;
  fromIndex: number | null;
  toIndex: number | null;
  readonly results: IntentResult[];
  recipe: RecipeContents | null;
}

/** Null if its data key is destroyed. In memory are only the turn that is read and what the suggestion holds: a stream may have millions of events. */
export async function sourceOf(ports: SourcePorts, found: OwnedAgentSession): Promise<Source | null> {
  const hash = createHash('sha256');
  const suggesting = new Suggesting();
  const turns = new Map<string, Reading>();
  const addTurns = () => {
    for (const turn of [...turns.values()].flatMap(ended)) suggesting.add(turn);
    turns.clear();
  };
  let sealedStart: string | null = null;
  let sessionId: SessionId | null = null;
  try {
    for await (const event of ports.store.readStream(streamOf(agentSessionEvents, uuidOf(found.id)))) {
      if (!hasKnownType<AgentSessionEvent>(agentSessionEvents, event)) continue;
      hash.update(`${JSON.stringify([event.id, event.type, event.data])}\n`);
      if (event.type === 'AgentSessionCreated') ({ sealedStart, attached: sessionId } = event.data);
      if (event.type === 'DriverSessionSpawned') ({ sessionId } = event.data);
      // A turn is admitted after the end of all earlier ones.
      if (event.type === 'TurnAdmitted') addTurns();
      if (event.type === 'InitialUrlOpened') await open(ports, found, sealedStart, suggesting);
      await read(ports, found, turns, event);
    }
    addTurns();
    return { outcome: suggesting.outcome(), hash: hash.digest('hex'), sessionId };
  } catch (error) {
    if (error instanceof AccountErased) return null;
    throw error;
  }
}

/** Turns without a recorded end or message are not included. */
const ended = ({ fromIndex, toIndex, ...turn }: Reading): readonly PastTurn[] =>
  toIndex === null ? [] : [{ ...turn, fromIndex: fromIndex ?? toIndex, toIndex }];

/** Events of messages that began no turn. */
const hasNoTurn: readonly AgentSessionEvent['type'][] = ['MessageLogged', 'MessageWithdrawn'];

/** Applies an event to its turn. */
async function read(
  ports: SourcePorts,
  found: OwnedAgentSession,
  turns: Map<string, Reading>,
  event: AgentSessionEvent,
): Promise<void> {
  if (!('turnId' in event.data) || hasNoTurn.includes(event.type)) return;
  const { turnId } = event.data;
  const turn = turns.get(turnId) ?? { ok: false, fromIndex: null, toIndex: null, results: [], recipe: null };
  turns.set(turnId, turn);
  if (event.type === 'TurnAdmitted' || event.type === 'MessageRecorded') {
    turn.fromIndex = event.data.entryIndex;
  } else if (event.type === 'TurnDecomposed') {
    const { round, sealedPlan } = event.data;
    turn.recipe =
      (await openJson<SealedPlan>(ports, found, sealedFields.plan(turnId, round), sealedPlan)).recipe ?? null;
  } else if (event.type === 'IntentSettled') {
    const { index, sealedResult } = event.data;
    turn.results.push(
      await openJson<IntentResult>(ports, found, sealedFields.result(turnId, index), sealedResult),
    );
  } else if ('entryIndex' in event.data) {
    turn.toIndex = event.data.entryIndex;
    turn.ok = event.type === 'TurnSettled' && event.data.ok;
  }
}

/** The part of a plan that belongs in a recipe. */
interface SealedPlan {
  readonly recipe?: RecipeContents;
}

/** Adds the initial address, which is sealed in the event of the creation. */
async function open(
  ports: SourcePorts,
  found: OwnedAgentSession,
  sealed: string | null,
  suggesting: Suggesting,
): Promise<void> {
  if (sealed === null) return;
  const { initial_url: url } = await openJson<SealedStart>(
    ports,
    found,
    sealedFields.start(found.id),
    sealed,
  );
  if (url !== undefined) suggesting.open(url);
}
