import { isAfter } from '../event-store/client/position.ts';
import type { Position } from '../event-store/client/types.ts';
import { createRecorder, type RecorderPorts } from './recorder.ts';

/** The row with the highest position of any account, which unknown credentials must wait for. */
export const anyAccount = '*';

const upsert = `
  insert into ephemeral.account_positions as known (account_id, commit_position, prepare_position)
  select * from unnest($1::text[], $2::bigint[], $3::bigint[])
  on conflict (account_id) do update
    set commit_position = excluded.commit_position, prepare_position = excluded.prepare_position
    where (known.commit_position, known.prepare_position) < (excluded.commit_position, excluded.prepare_position)`;

export interface AccountPositions {
  /**
   * Makes the account's reads wait for this position. Resolves once it is recorded, and never rejects: the write has already
   * happened, so a failed or slow statement is not waited for. It is counted and retried, so that readers see the position once
   * Postgres is available again.
   */
  record(accountId: string, position: Position): Promise<void>;
  /** Number of failed statements since the start. */
  failures(): number;
}

/** Maximum time that a write waits for its position to be recorded. */
const deadlineMs = 1000;

export function createAccountPositions(ports: Pick<RecorderPorts, 'pool' | 'logger'>): AccountPositions {
  let failures = 0;
  const write = createRecorder<Position>({
    ...ports,
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
    record(accountId, position) {
      void write(accountId, position);
      return write(anyAccount, position);
    },
    failures: () => failures,
  };
}
