import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { v5 as uuidv5 } from 'uuid';
import type { Logger } from 'pino';
import type { DomainEvent } from '../../contracts/events/catalogue.ts';
import type { Decider } from '../../domain/kit/decider.ts';
import type { EventStore, EventToAppend } from '../../infra/event-store/client/types.ts';
import type { RecentEvent } from './recent-events.ts';

/** The state of a stream after the event at `revision`. */
export interface Snapshot<State> {
  readonly state: State;
  readonly revision: bigint;
  /** The newest events up to it. */
  readonly recent: readonly RecentEvent[];
}

const type = 'StateSnapshot';
/** An arbitrary namespace for these derived ids. */
const namespace = '7c1d0c9e-8a54-4b8e-9d53-64c7c1b6f1a7';

const snapshotStream = (stream: string): string => `snapshot-${stream}`;

/**
 * Cached states of long streams, so that they need not be folded from their first events. Nothing depends on them: a missing, old
 * or differently shaped one is ignored.
 */
export class Snapshots {
  readonly #store: EventStore;
  readonly #logger: Logger;

  constructor(store: EventStore, logger: Logger) {
    this.#store = store;
    this.#logger = logger;
  }

  async load<State, Event extends DomainEvent>(
    decider: Decider<State, never, Event>,
    stream: string,
  ): Promise<Snapshot<State> | undefined> {
    const last = { direction: 'backwards', from: 'end', limit: 1 } as const;
    for await (const { data } of this.#store.readStream(snapshotStream(stream), last)) {
      if (!isStored(data) || data.fingerprint !== fingerprintOf(decider)) return undefined;
      // The fingerprint proves that this decider, with this shape of state, wrote it.
      const { revision, recent = [] } = data;
      return { state: data.state as State, revision: BigInt(revision), recent };
    }
    return undefined;
  }

  /** Never rejects: a failed snapshot is written some events later. `owner`: the account of the state. */
  async save<State, Event extends DomainEvent>(
    decider: Decider<State, never, Event>,
    stream: string,
    snapshot: Snapshot<State>,
    owner: string | null,
  ): Promise<void> {
    try {
      const target = snapshotStream(stream);
      const event = toEvent(fingerprintOf(decider), stream, snapshot, owner);
      const { revision } = await this.#store.append(target, 'any', [event]);
      if (revision === 0n) await this.#store.setStreamMetadata(target, { maxCount: 1 });
    } catch (error) {
      this.#logger.warn({ err: error, stream }, 'A snapshot was not written.');
    }
  }
}

function toEvent(
  fingerprint: string,
  stream: string,
  { state, revision, recent }: Snapshot<unknown>,
  owner: string | null,
): EventToAppend {
  if (!isDeepStrictEqual(JSON.parse(JSON.stringify(state)), state)) {
    throw new Error(`the state of ${stream} is more than JSON can hold`);
  }
  return {
    id: uuidv5(`${stream}@${revision}/${fingerprint}`, namespace),
    type,
    data: { fingerprint, revision: revision.toString(), state, recent },
    metadata: {
      correlation_id: stream,
      causation_id: stream,
      actor: { kind: 'system', account_id: owner },
      occurred_at: new Date().toISOString(),
      schema_version: 1,
      request_id: null,
    },
  };
}

interface Stored {
  readonly fingerprint: string;
  readonly revision: string;
  readonly state: unknown;
  /** Absent in snapshots of older versions. */
  readonly recent?: readonly RecentEvent[];
}

const isStored = (data: unknown): data is Stored =>
  typeof data === 'object' &&
  data !== null &&
  'state' in data &&
  data.state !== null &&
  'fingerprint' in data &&
  'revision' in data &&
  typeof data.revision === 'string';

const fingerprints = new WeakMap<object, string>();

/**
 * Changes with the rule's code, its initial state, its event types and their versions, and `stateVersion`, which is raised by hand for changes
 * of the state's shape that the others do not show. The types, because an earlier release skips those that it does not know: its snapshot of
 * a stream that has some lacks their effects.
 */
function fingerprintOf<State, Event extends DomainEvent>(decider: Decider<State, never, Event>): string {
  const known = fingerprints.get(decider);
  if (known !== undefined) return known;
  const { category, initialState, evolve, stateVersion = 1 } = decider;
  const { name, types, versions } = category;
  const typeNames = Object.keys(types).sort();
  const shape = JSON.stringify([name, typeNames, versions, initialState, evolve.toString(), stateVersion]);
  const fingerprint = createHash('sha256').update(shape).digest('hex').slice(0, 16);
  fingerprints.set(decider, fingerprint);
  return fingerprint;
}
