import type { AccountId } from '../../contracts/ids.ts';
import { refuse } from '../../contracts/problems.ts';
import type { Position } from '../../infra/event-store/client/types.ts';
import type { PastSchema } from '../../projections/engine/table.ts';
import type { Read } from './reading.ts';

/** A past served instead of the live read models. */
export interface Past {
  readonly schema: PastSchema;
  readonly position: Position;
  /** The time used as now. */
  readonly at: Date;
  /** The only account in it; undefined: every account. */
  readonly account?: AccountId | undefined;
}

/** `read` checks the caller as of now; only the rows are of the past, and never stale. */
export const createPastRead =
  (read: Read, { position, account }: Past): Read =>
  async (call, statement, parameters) => {
    if (account !== undefined && call.caller.accountId !== account)
      throw refuse('not-found', 'This past read side was built for another account only.');
    const { rows } = await read(call, statement, parameters);
    return { rows, stale: false, freshness: { position } };
  };
