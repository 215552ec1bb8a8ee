import { expect } from 'chai';
import fc from 'fast-check';
import { hourMs } from '../../contracts/durations.ts';
import type { AccountId } from '../../contracts/ids.ts';
import { anAccount, at, startReadSide, type ReadSide } from '../testing/index.ts';
import { storageInRange, type StorageChange } from './usage.ts';

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

const rowsLookedAt = (node: PlanNode): number =>
  ((node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0)) * (node['Actual Loops'] ?? 1);
const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

const start = Date.UTC(2026, 0, 5);
const hour = (n: number) => new Date(start + n * hourMs).toISOString();

/** A row of a profile, at its place in the log. */
interface Stored {
  readonly profile: number;
  readonly account: AccountId;
  readonly hour: number;
  readonly bytes: number;
}

describe('the stored bytes of an account in a range', () => {
  let side: ReadSide;
  const accounts = [anAccount(), anAccount()] as const;
  before(async () => {
    side = await startReadSide();
    for (const account of accounts)
      await side.rows(
        `insert into read_model.accounts (id, sealed_email, tier, created_at, updated_at, commit_position, prepare_position)
         values ($1, 'sealed', 'team', $2, $2, 0, 0)`,
        [account, at],
      );
  });
  afterEach(() => side.rows('truncate read_model.profile_storage'));
  after(() => side.close());

  const insert = (rows: readonly Stored[]) =>
    side.rows(
      `insert into read_model.profile_storage
         (id, profile_id, account_id, hour, bytes, commit_position, prepare_position)
       select 'prof_' || profile || ' ' || hour, 'prof_' || profile, account, hour, bytes, place, place
       from jsonb_to_recordset($1)
         as (place bigint, profile integer, account text, hour timestamptz, bytes bigint)`,
      [JSON.stringify(rows.map((row, place) => ({ ...row, place, hour: hour(row.hour) })))],
    );
  const inRange = (accountId: AccountId, from: number, to: number) =>
    storageInRange.values({ accountId, bucket: 'hour', from: hour(from), to: hour(to) });
  /** The bytes at the end of each hour. */
  const storedIn = async (account: AccountId, from: number, to: number) => {
    const [row] = await side.rows(storageInRange.own.text, inRange(account, from, to));
    const changes = new Map(row?.changes as readonly StorageChange[]);
    let stored = 0;
    return hours(from, to).map((n) => (stored += changes.get(start + n * hourMs) ?? 0));
  };
  const hours = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

  /** The same, from all rows. */
  const expectedIn = (rows: readonly Stored[], account: AccountId, from: number, to: number) =>
    hours(from, to).map((n) =>
      rows
        .filter((row, place) => {
          const next = rows.find(({ profile }, later) => later > place && profile === row.profile);
          const until = next === undefined ? Infinity : Math.max(row.hour, next.hour);
          return row.account === account && row.hour <= n && n < until;
        })
        .reduce((sum, { bytes }) => sum + bytes, 0),
    );

  /** In the order of the log, where a later row may be up to a day earlier. */
  const someRows = fc
    .array(
      fc.record({
        profile: fc.nat(2),
        account: fc.constantFrom(...accounts),
        step: fc.oneof(fc.integer({ min: -24, max: 3 }), fc.integer({ min: 0, max: 60 })),
        bytes: fc.nat(1000),
      }),
      { maxLength: 30 },
    )
    .map((drawn) => {
      let latest = 0;
      const rows = new Map<string, Stored>();
      for (const { step, profile, account, bytes } of drawn) {
        const row = { profile, account, bytes, hour: latest + step };
        latest = Math.max(latest, row.hour);
        // An hour has one row, of its last event.
        rows.delete(`${profile} ${row.hour}`);
        rows.set(`${profile} ${row.hour}`, row);
      }
      return [...rows.values()];
    });

  it('are those of all rows up to then, also where the clock was set back by up to a day', async () => {
    const ranges = fc.record({
      from: fc.integer({ min: -30, max: 400 }),
      length: fc.integer({ min: 1, max: 60 }),
    });
    await fc.assert(
      fc.asyncProperty(someRows, ranges, async (rows, { from, length }) => {
        await side.rows('truncate read_model.profile_storage');
        await insert(rows);
        for (const account of accounts)
          expect(await storedIn(account, from, from + length)).to.deep.equal(
            expectedIn(rows, account, from, from + length),
          );
      }),
      { numRuns: 300 },
    );
  });

  const profiles = 10;
  const days = 400;
  const looksOf = async (mode: 'analyze' | 'generic_plan', values?: unknown[]) => {
    const rows = await side.rows(`explain (${mode}, format json) ${storageInRange.own.text}`, values);
    const [plan] = rows.flatMap((row) => row['QUERY PLAN'] as readonly { readonly Plan: PlanNode }[]);
    const nodes = plan === undefined ? [] : nodesOf(plan.Plan);
    return nodes.filter((node) => node['Relation Name'] === 'profile_storage');
  };

  for (const [what, day] of [
    ['the latest day', days - 1],
    ['a day in the middle', days / 2],
  ] as const)
    it(`are read without the rows before and after it: ${what}`, async () => {
      await side.rows(
        `insert into read_model.profile_storage
           (id, profile_id, account_id, hour, bytes, commit_position, prepare_position)
         select 'prof_' || profile || ' ' || n, 'prof_' || profile, $1, $2::timestamptz + n * interval '1 hour', 100, n, n
         from generate_series(1, $3::integer) as profile, generate_series(0, $4::integer - 1) as n`,
        [accounts[0], hour(0), profiles, days * 24],
      );
      await side.rows('analyze read_model.profile_storage');
      const looks = await looksOf('analyze', inRange(accounts[0], day * 24, day * 24 + 24));
      expect(looks.length).to.be.greaterThan(0);
      for (const look of [...looks, ...(await looksOf('generic_plan'))])
        expect(look['Node Type']).not.to.equal('Seq Scan');
      const read = looks.map(rowsLookedAt).reduce((sum, each) => sum + each, 0);
      // A day, a day on both sides, a day before those, and a few looks for each profile.
      expect(read).to.be.at.most(profiles * (4 * 24 + 6));
      expect(await storedIn(accounts[0], day * 24, day * 24 + 24)).to.deep.equal(
        Array(24).fill(profiles * 100),
      );
    });
});
