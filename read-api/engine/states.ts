import type { AccountId } from '../../contracts/ids.ts';
import type { Reply } from '../../infra/http/index.ts';
import type { StateReadModel } from '../../projections/engine/state-read-model.ts';
import { stateStatement } from '../../projections/queries/settings.ts';
import type { Read, ReadCall } from './reading.ts';

/** Handles a route that shows the account's row of a table of states. */
export const stateReader =
  (read: Read) =>
  <State>(model: StateReadModel<State>, show: (state: State, accountId: AccountId) => unknown) => {
    const statement = stateStatement(model);
    return {
      run: async (call: ReadCall): Promise<Reply> => {
        const { accountId } = call.caller;
        const { rows, freshness } = await read(call, statement, { accountId });
        return { body: await show(model.stateOf(rows[0]), accountId), ...freshness };
      },
    };
  };
