import type pg from 'pg';
import type { RouteId } from '../../../../contracts/routes/index.ts';
import { createCursors } from '../../../../read-api/engine/cursors.ts';
import { scattered, type Ask } from '../asks.ts';
import { filledTables } from '../filled-tables.ts';
import { percentile } from '../latency.ts';
import { setCheckpoint } from '../read-models.ts';
import { addReader, benchCursorKey, filledAccount, filledAt, sqlId, type Reader } from '../read-side.ts';
import { atMost, type CheckSubject, type Finding } from '../subject.ts';

const bars = { pass: 1.5, stretch: 1.2 };
const [few, many] = [10, 10_000];
const page = 10;
const requests = 2_000;

interface Memberships {
  readonly memberships: number;
}

interface FilledMemberships extends Memberships {
  /** Number of members of its team. */
  readonly owner: Reader;
  /** Number of teams it is a member of. */
  readonly member: Reader;
}

/**
 * Account 0 has the others on its team; account 1 is on the teams of the others. Number `i` is `i` seconds younger than
 * the first.
 */
async function fillMemberships(pool: pg.Pool, { memberships }: Memberships): Promise<FilledMemberships> {
  const [owner, member] = [await addReader(pool, 0), await addReader(pool, 1)];
  const others = `generate_series(0, $1::int - 1) as i`;
  await pool.query(
    `insert into read_model.accounts (id, sealed_email, tier, created_at, updated_at, commit_position, prepare_position)
     select ${sqlId('acc', 'i + 2')}, 'sealed', 'team', $2::timestamptz, $2, 0, 0 from ${others}`,
    [memberships, filledAt(0)],
  );
  for (const [side, other, first] of [
    ['account_id', 'member_account_id', owner.account],
    ['member_account_id', 'account_id', member.account],
  ] as const)
    await pool.query(
      `insert into read_model.team_members (id, ${side}, ${other}, role, created_at, commit_position, prepare_position)
       select ${sqlId('mem', `i + ${first * many}`)}, $3, ${sqlId('acc', 'i + 2')}, 'member',
         $2::timestamptz + i * interval '1 second', 0, 0
       from ${others}`,
      [memberships, filledAt(0), filledAccount(first)],
    );
  await pool.query('vacuum analyze read_model.team_members, read_model.accounts');
  await setCheckpoint(pool, { commit: 0n, prepare: 0n });
  return { memberships, owner, member };
}

const tables = filledTables<Memberships, FilledMemberships>(
  [few, many].map((memberships) => ({ memberships })),
  { databaseOf: ({ memberships }) => `memberships_${memberships}`, fill: fillMemberships },
);

const cursors = createCursors([Buffer.from(benchCursorKey)]);

/** A full page at any position of the list, as cursors would reach it. */
const askFor =
  (path: string, route: RouteId, readerOf: (table: FilledMemberships) => Reader): Ask<FilledMemberships> =>
  (table, index) => {
    const reader = readerOf(table);
    const newest = page + scattered(index, table.memberships - page + 1);
    const cursor = cursors.encode(route, filledAccount(reader.account), [filledAt(newest), '']);
    return { path: `${path}?limit=${page}&cursor=${cursor}`, reader };
  };

const lists = {
  members: askFor('/v1/team/members', 'team-members.list', ({ owner }) => owner),
  owners: askFor('/v1/team/owners', 'team-owners.list', ({ member }) => member),
} as const;

export const teamLists: CheckSubject = {
  kind: 'check',
  id: 'team-lists',
  long: true,
  title: `p99 of a page of ${page} of 10 000 members of an owner / of ${few}, and of the teams of a member`,
  bars,
  unit: 'x',
  async check(bench) {
    const served = await tables(bench);
    try {
      let figures: Finding['figures'] = { requests };
      const ratios: number[] = [];
      for (const [name, ask] of Object.entries(lists)) {
        const measured = await served.measure(ask, requests);
        const p99 = (of: number): number =>
          percentile(measured.find(({ shape }) => shape.memberships === of)?.took ?? [], 0.99);
        ratios.push(p99(many) / p99(few));
        figures = { ...figures, [`${name}_p99_ms_of_10`]: p99(few), [`${name}_p99_ms_of_10k`]: p99(many) };
      }
      return atMost(bars, Math.max(...ratios), figures);
    } finally {
      await served.close();
    }
  },
};
