import type { EventStore } from '../../infra/event-store/client/types.ts';
import type { AccountPositions } from '../../infra/postgres/index.ts';

export interface PositionRecordingStore {
  readonly store: EventStore;
  /** Resolves when the positions of every append made so far for the account are recorded; a reply waits for it. */
  readonly noted: (accountId: string) => Promise<void>;
}

/**
 * The event store, with the position of each append recorded for the account it belongs to, so that the account's reads wait
 * for it. Recording runs beside the request, which waits for it once, at the reply.
 */
export function positionRecordingStore(
  inner: EventStore,
  positions: Pick<AccountPositions, 'note'>,
  changed: (stream: string) => void,
): PositionRecordingStore {
  const pending = new Map<string, Promise<void>>();

  return {
    store: {
      ...inner,
      async append(stream, expected, events) {
        try {
          const appended = await inner.append(stream, expected, events);
          const accountId = events[0]?.metadata.actor.account_id;
          if (accountId) remember(accountId, positions.note(accountId, appended.position));
          return appended;
        } finally {
          changed(stream);
        }
      },
    },
    noted: async (accountId) => pending.get(accountId),
  };

  function remember(accountId: string, note: Promise<void>): void {
    pending.set(accountId, note);
    void note.then(() => pending.get(accountId) === note && pending.delete(accountId));
  }
}
