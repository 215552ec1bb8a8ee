import { expect } from 'chai';
import type pg from 'pg';
import type { Statement } from './fresh-statement.ts';
import type { ListParameters } from './lists.ts';
import { anAccount, at, startReadSide, type ReadSide } from '../testing/index.ts';
import {
  listMadeFrom,
  listProfiles,
  listSnapshots,
  listSnapshotsOf,
  listTrash,
  storedBytesOf,
} from './profile.ts';

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

describe('a list of profiles among many', () => {
  let side: ReadSide;
  const account = anAccount();
  const profileId = 'prof_0197f1a0-0000-7000-8000-000000000001';
  before(async () => {
    side = await startReadSide();
    await fill(side.postgres.pool);
  });
  after(() => side.close());

  /** Forty accounts with 500 profiles each, ten of a hundred in the trash, and as many snapshots. */
  async function fill(pool: pg.Pool): Promise<void> {
    await pool.query(
      `insert into read_model.profiles
         (id, account_id, status, storage_bytes, state, created_at, commit_position, prepare_position)
       select 'prof_' || gen_random_uuid(), case when i % 40 = 0 then $1 else 'acc_' || i % 40 end,
         case when i % 400 = 0 then 'trashed' else 'active' end, 1000,
         jsonb_build_object('origin', case when i % 200 = 0
           then jsonb_build_object('kind', 'cloned', 'profileId', $3::text)
           else jsonb_build_object('kind', 'created') end),
         $2::timestamptz + i * interval '1 second', i, i
       from generate_series(1, 20000) as i`,
      [account, at, profileId],
    );
    await pool.query(
      `insert into read_model.profiles
         (id, account_id, status, storage_bytes, state, created_at, commit_position, prepare_position)
       values ($1, $2, 'active', 0, '{}', $3, 0, 0)`,
      [profileId, account, at],
    );
    await pool.query(
      `insert into read_model.profile_snapshots
         (id, account_id, profile_id, status, state, created_at, commit_position, prepare_position)
       select 'psnap_' || gen_random_uuid(), case when i % 40 = 0 then $1 else 'acc_' || i % 40 end,
         case when i % 400 = 0 then $3 else 'prof_' || i % 1000 end, 'kept', '{}',
         $2::timestamptz + i * interval '1 second', i, i
       from generate_series(1, 20000) as i`,
      [account, at, profileId],
    );
    await pool.query('analyze read_model.profiles, read_model.profile_snapshots');
  }

  const limit = 51;
  const parameters = { accountId: account, beforeTime: 'infinity', beforeId: '', limit };

  async function looksOf<P>(statement: Statement<P, { readonly id: string }>, given: P, table: string) {
    const { own, values } = statement;
    const { rows } = await side.postgres.pool.query<{ 'QUERY PLAN': readonly { Plan: PlanNode }[] }>(
      `explain (analyze, format json) ${own.text}`,
      values(given),
    );
    const nodes = rows.flatMap((row) => row['QUERY PLAN'].flatMap(({ Plan }) => nodesOf(Plan)));
    return nodes.filter((node) => node['Relation Name'] === table);
  }

  const lists: readonly [string, Statement<ListParameters, { readonly id: string }>, string][] = [
    ['profiles', listProfiles, 'profiles'],
    ['the trash', listTrash, 'profiles'],
    ['snapshots', listSnapshots, 'profile_snapshots'],
  ];
  for (const [what, statement, table] of lists) {
    it(`reads no more than its page of an index: ${what}`, async () => {
      const looks = await looksOf(statement, parameters, table);
      expect(looks.map((node) => node['Node Type'])).to.deep.equal(['Index Scan']);
      const rows = looks.map((node) => (node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0));
      expect(Math.max(...rows)).to.be.within(1, limit);
    });
  }

  function expectFifty(looks: readonly PlanNode[]) {
    expect(looks.map((node) => node['Node Type'])).not.to.include('Seq Scan');
    expect(looks.map((node) => node['Actual Rows'])).to.deep.equal([50]);
    expect(looks.map((node) => node['Rows Removed by Filter'] ?? 0)).to.deep.equal([0]);
  }

  it('reads only the index entries of one profile for its snapshots', async () => {
    expectFifty(await looksOf(listSnapshotsOf, { ...parameters, profileId }, 'profile_snapshots'));
  });

  it('reads only the index entries of one profile for the profiles made from it', async () => {
    expectFifty(await looksOf(listMadeFrom, { ...parameters, madeFrom: profileId }, 'profiles'));
  });

  it('sums up the bytes of all profiles of the account, also of those in the trash', async () => {
    expect(await storedBytesOf(side.postgres.pool, account)).to.equal(500 * 1000);
  });
});
