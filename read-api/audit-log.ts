import type { Call } from '../infra/http/index.ts';
import { toEntry } from '../projections/audit/log.ts';
import { auditLogList, type ListedEntry } from '../projections/queries/audit-log.ts';
import type { AuditTurns } from './audit-turns.ts';
import type { Reader } from './engine/credentials.ts';
import type { Pages } from './engine/paging.ts';
import { queryTime } from './engine/reading.ts';

/** Greater than every sequence. */
const afterAll = 2 ** 31 - 1;

export function auditLogReads({ page }: Pages, inTurn: AuditTurns) {
  const read = async (call: Call<'audit-log.list', Reader, never>) => {
    const { action = null, actor = null } = call.query;
    const since = queryTime('since', call.query.since);
    const until = queryTime('until', call.query.until);
    return page(call, {
      list: 'audit-log.list',
      statement: auditLogList,
      after: ([before = afterAll], account) => ({
        ...{ ...account, before: Number(before) },
        ...{ action, actor, since, until },
      }),
      keysetOf: ({ sequence }) => [String(sequence)],
      show: toEntry,
      beside: (rows) => ({ names: namesOf(rows) }),
    });
  };
  return {
    'audit-log.list': {
      run: (call: Call<'audit-log.list', Reader, never>) =>
        inTurn(call.caller.accountId, call.query, () => read(call)),
    },
  };
}

/** Names of targets, by id. */
const namesOf = (rows: readonly ListedEntry[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    rows.flatMap(({ target_id, target_name }) => (target_name === null ? [] : [[target_id, target_name]])),
  );
