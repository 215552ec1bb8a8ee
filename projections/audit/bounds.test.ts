import { expect } from 'chai';
import type pg from 'pg';
import { hourMs } from '../../contracts/durations.ts';
import type { AccountId } from '../../contracts/ids.ts';
import { auditLogList } from '../queries/audit-log.ts';
import { anAccount, startReadSide, type ReadSide } from '../testing/index.ts';
import { readAudit } from './reading.ts';

const start = Date.parse('2026-01-01T00:00:00Z');
const timeAt = (hour: number) => new Date(start + hour * hourMs);

describe('the audit log of a time', () => {
  let side: ReadSide;
  let account: AccountId;
  before(async () => {
    side = await startReadSide();
  });
  after(() => side.close());
  beforeEach(() => {
    account = anAccount();
  });

  /** Entries at these hours since the start, in the order of the log. */
  const entriesAt = (hours: readonly number[]) =>
    side.rows(
      `insert into read_model.audit_log (account_id, sequence, id, action, actor_type, target_type, target_id, payload,
         request_id, created_at, prev_hash, hash, subtrees, commit_position, prepare_position)
       select $1, number, 'aud_' || number, 'session.created', 'api_key', 'session', 'ses_1', '{}', 'req_1', at, '', '', '', number, number
       from unnest($2::timestamptz[]) with ordinality as entry (at, number)`,
      [account, hours.map(timeAt)],
    );

  interface Between {
    readonly since: Date | null;
    readonly until: Date | null;
  }
  type Ask = pg.QueryConfig & { readonly values: unknown[] };
  const listing = ({ since, until }: Between): Ask => {
    const { name, text } = auditLogList.own;
    const about = { accountId: account, before: 2 ** 31 - 1, action: null, actor: null, limit: 100 };
    return { name, text, values: auditLogList.values({ ...about, since, until }) };
  };
  const listed = async (between: Between) => {
    const { rows } = await side.postgres.pool.query<{ sequence: number | null }>(listing(between));
    return rows.flatMap(({ sequence }) => (sequence === null ? [] : [sequence])).toReversed();
  };
  const exported = async (between: Between, pool: Pick<pg.Pool, 'query'> = side.postgres.pool) => {
    const found: number[] = [];
    for await (const { sequence } of readAudit(pool as pg.Pool, account, between)) found.push(sequence);
    return found;
  };

  /** Entries that the plan of a query reads and then leaves out. */
  const leftOut = async ({ text, values }: Ask): Promise<number> => {
    const rows = await side.rows(`explain (analyze, costs off, timing off) ${text}`, values);
    const plan = rows.map((row) => String(row['QUERY PLAN'])).join('\n');
    const counts = [...plan.matchAll(/Filter: .*created_at.*\n\s*Rows Removed by Filter: (\d+)/g)];
    return counts.reduce((sum, [, count]) => sum + Number(count), 0);
  };

  it('is read without the rest of the log, but for a day before and after', async () => {
    await entriesAt(Array.from({ length: 2000 }, (_, hour) => hour));
    await side.rows('analyze read_model.audit_log');
    const between = { since: timeAt(1000), until: timeAt(1010) };
    const asked: Ask[] = [];
    const pool = {
      query: (ask: Ask) => {
        asked.push(ask);
        return side.postgres.pool.query(ask);
      },
    };
    const hours = Array.from({ length: 10 }, (_, n) => 1001 + n);
    expect(await exported(between, pool as unknown as pg.Pool)).to.deep.equal(hours);
    expect(await listed(between)).to.deep.equal(hours);
    for (const ask of [listing(between), ...asked]) expect(await leftOut(ask)).to.be.within(1, 48);
    expect(await leftOut(listing({ since: timeAt(5000), until: null }))).to.be.below(49);
  });

  it('has every entry of the time, also where clocks were set back by up to a day', async () => {
    let hour = 0;
    const hours = Array.from({ length: 90 }, (_, n) => {
      hour += (n * 7) % 11;
      return n % 3 === 0 ? hour - 24 : hour;
    });
    await entriesAt(hours);
    const expected = ({ since, until }: Between) =>
      hours.flatMap((each, index) => {
        const at = timeAt(each);
        return (since === null || at >= since) && (until === null || at < until) ? [index + 1] : [];
      });
    for (let from = -30; from < hour + 30; from += 17)
      for (const length of [1, 40, 1000]) {
        const [since, until] = [timeAt(from), timeAt(from + length)];
        for (const between of [
          { since, until },
          { since, until: null },
          { since: null, until },
        ]) {
          expect(await listed(between)).to.deep.equal(expected(between));
          expect(await exported(between)).to.deep.equal(expected(between));
        }
      }
  });

  it('is empty in an account without entries', async () => {
    const between = { since: timeAt(0), until: timeAt(1) };
    expect([await listed(between), await exported(between)]).to.deep.equal([[], []]);
  });
});
