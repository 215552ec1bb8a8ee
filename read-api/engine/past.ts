import type { AccountId } from '../../contracts/ids.ts';
import { refuse } from '../../contracts/problems.ts';
import type { Position } from '../../infra/event-store/client/types.ts';
import type { PastSchema } from '../../projections/engine/table.ts';
import type { Read } from './reading.ts';

/** A past that is served in place of the live read models. */
export interface Past {
  readonly schema: PastSchema;
  readonly position: Position;
  /** The time that counts as now in what is shown. */
  readonly at: Date;
  /** The only account that it was built of; undefined: every account. */
  readonly account?: AccountId | undefined;
}

/** The caller is judged as of now, by `read`; only the rows are of the past, and they do not get stale. */
export const createPastRead =
  (read: Read, { position, account }: Past): Read =>
  async (call, statement, parameters) => {
    if (account !== undefined && call.caller.accountId !== account)
      throw refuse('not-found', 'This past was built of another account only.');
    const { rows } = await read(call, statement, parameters);
    return { rows, stale: false, freshness: { position } };
  };
