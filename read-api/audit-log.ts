import type { Handlers } from '../infra/http/index.ts';
import { toEntry, type StoredEntry } from '../projections/audit/log.ts';
import type { Reader } from './engine/credentials.ts';
import type { Cursors } from './engine/cursors.ts';
import { pageOf } from './engine/paging.ts';
import type { Read } from './engine/reading.ts';
import { auditLogList } from '../projections/queries/audit-log.ts';
import { timeOf } from './engine/time.ts';

/** Sequences are below it. */
const afterAll = 2 ** 31 - 1;

export function auditLogReads(
  read: Read,
  cursors: Cursors,
): Pick<Handlers<'read', Reader>, 'audit-log.list'> {
  return {
    'audit-log.list': {
      run: async (call) => {
        const route = 'audit-log.list';
        const { accountId } = call.caller;
        const { limit = 50, cursor, action = null, actor = null, since, until } = call.query;
        const [before = afterAll] = (cursors.decode(route, accountId, cursor) ?? []).map(Number);
        const { rows, freshness } = await read(call, auditLogList, {
          accountId,
          before,
          action,
          actor,
          since: timeOf('since', since),
          until: timeOf('until', until),
          limit: limit + 1,
        });
        const keysetOf = ({ sequence }: StoredEntry) => [String(sequence)];
        const body = pageOf(rows, { route, accountId, limit, cursors, keysetOf, show: toEntry });
        return { body, ...freshness };
      },
    },
  };
}
