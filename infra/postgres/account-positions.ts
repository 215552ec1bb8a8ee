import { isAfter } from '../event-store/client/position.ts';
import type { Position } from '../event-store/client/types.ts';
import { createNotes, type Noting } from './notes.ts';

/** The row that carries the highest position noted for any account: what an unknown credential must wait for. */
export const anyAccount = '*';

const upsert = `
  insert into ephemeral.account_positions as noted (account_id, commit_position, prepare_position)
  select * from unnest($1::text[], $2::bigint[], $3::bigint[])
  on conflict (account_id) do update
    set commit_position = excluded.commit_position, prepare_position = excluded.prepare_position
    where (noted.commit_position, noted.prepare_position) < (excluded.commit_position, excluded.prepare_position)`;

export interface AccountPositions {
  /**
   * Makes the account's reads wait for this position. Resolves when it is noted, and never rejects: the write it belongs
   * to has already happened, so a note that fails (or takes longer than the deadline) is not waited for. It is counted and
   * tried again until it is noted, so that readers hear of it as soon as Postgres is back.
   */
  note(accountId: string, position: Position): Promise<void>;
  /** Attempts to note something that failed since the start. */
  failures(): number;
}

/** How long a write waits for its note at the most. */
const deadlineMs = 1000;

export function createAccountPositions(noting: Pick<Noting, 'pool' | 'logger'>): AccountPositions {
  let failures = 0;
  const note = createNotes<Position>({
    ...noting,
    what: 'Account positions',
    statement: { name: 'note-account-positions', text: upsert, query_timeout: deadlineMs },
    parametersOf: (positions) => [
      positions.map(({ commit }) => String(commit)),
      positions.map(({ prepare }) => String(prepare)),
    ],
    isNewer: isAfter,
    onFailure: () => (failures += 1),
  });
  return {
    note(accountId, position) {
      void note(accountId, position);
      return note(anyAccount, position);
    },
    failures: () => failures,
  };
}
