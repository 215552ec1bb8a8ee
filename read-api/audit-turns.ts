import { refuse } from '../contracts/problems.ts';
import type { AccountId } from '../contracts/ids.ts';
import { FairTurns } from '../infra/platform/fair-turns.ts';
import { isTooSlow } from '../infra/postgres/index.ts';

/**
 * Pages with a filter that are read at once, by all accounts and by one. Where few entries match, Postgres reads an account's whole log, which may
 * have millions, on one of this process's connections: others are left for everybody else.
 */
const filteredAtOnce = { total: 3, perKey: 2 };

/** Absent and null: none. */
type Filter = Readonly<Partial<Record<'action' | 'actor' | 'since' | 'until', unknown>>>;

export type AuditTurns = ReturnType<typeof createAuditTurns>;

/**
 * Reads pages of audit logs, those with a filter in turn. Throws `bad-request` for one that takes too long although it was not looked for by time alone: it would
 * take as long again.
 */
export function createAuditTurns() {
  const turns = new FairTurns(filteredAtOnce);
  return <Page>(accountId: AccountId, filter: Filter, read: () => Promise<Page>): Promise<Page> => {
    const { action, actor, since, until } = filter;
    if (isNone(action, actor, since, until)) return read();
    return turns.hold(accountId, async () => {
      try {
        return await read();
      } catch (error) {
        throw isTooSlow(error) && !isNone(action, actor) ? tooLarge() : error;
      }
    });
  };
}

const isNone = (...filters: readonly unknown[]): boolean =>
  filters.every((filter) => (filter ?? null) === null);

const tooLarge = () =>
  refuse(
    'bad-request',
    'The audit log has too many entries to look through all of them for these. Narrow the time with `since` and `until`.',
  );
