import { isAfter } from '../../infra/event-store/client/position.ts';
import type { EventStore, Position } from '../../infra/event-store/client/types.ts';
import type { AccountPositions } from '../../infra/ephemeral/index.ts';

export interface PositionRecordingStore {
  readonly store: EventStore;
  /**
   * Resolves once the positions of all previous appends are recorded: those for the account or, without one, those for
   * every account. A reply waits for it.
   */
  readonly recorded: (accountId?: string) => Promise<void>;
  /** Calls the listener with the stream of each append, whatever its outcome. */
  readonly onAppend: (listener: (stream: string) => void) => void;
}

/** Milliseconds that a position waits for its request's reply, so that a request with several appends records once. */
const patienceMs = 20;

/**
 * An event store that records the position of each account's last append, so that the account's reads wait for it. A request with
 * several appends records once, at its reply; a long one, or one without a reply, soon after each append.
 */
export function positionRecordingStore(
  inner: EventStore,
  positions: Pick<AccountPositions, 'record'>,
): PositionRecordingStore {
  const recorder = positionRecorder(positions);
  const listeners: ((stream: string) => void)[] = [];
  return {
    store: {
      ...inner,
      async append(stream, expected, events) {
        try {
          const appended = await inner.append(stream, expected, events);
          const accounts = new Set(events.map(({ metadata }) => metadata.actor.account_id));
          for (const accountId of accounts) if (accountId) recorder.remember(accountId, appended.position);
          return appended;
        } finally {
          for (const listener of listeners) listener(stream);
        }
      },
    },
    recorded: (accountId) => (accountId === undefined ? recorder.recordAll() : recorder.record(accountId)),
    onAppend: (listener) => void listeners.push(listener),
  };
}

function positionRecorder(positions: Pick<AccountPositions, 'record'>) {
  /** Positions not recorded yet. */
  const latest = new Map<string, Position>();
  const pending = new Map<string, Promise<void>>();
  let timer: NodeJS.Timeout | undefined;

  /** Never rejects, because `positions.record` does not. */
  const record = async (accountId: string): Promise<void> => {
    const position = latest.get(accountId);
    if (position === undefined) return pending.get(accountId);
    latest.delete(accountId);
    const recording = positions.record(accountId, position);
    pending.set(accountId, recording);
    await recording;
    if (pending.get(accountId) === recording) pending.delete(accountId);
  };
  const recordAll = async (): Promise<void> => {
    const accountIds = new Set([...latest.keys(), ...pending.keys()]);
    await Promise.all([...accountIds].map(record));
  };
  const recordLate = (): void => {
    timer = undefined;
    void recordAll();
  };
  const remember = (accountId: string, position: Position): void => {
    const known = latest.get(accountId);
    if (known === undefined || isAfter(position, known)) latest.set(accountId, position);
    timer ??= setTimeout(recordLate, patienceMs);
  };
  return { record, recordAll, remember };
}
