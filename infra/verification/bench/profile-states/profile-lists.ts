import type pg from 'pg';
import { createCursors } from '../../../../read-api/engine/cursors.ts';
import { scattered, type Ask } from '../asks.ts';
import { filledTables } from '../filled-tables.ts';
import { percentile } from '../latency.ts';
import { setCheckpoint } from '../read-models.ts';
import { addReader, benchCursorKey, filledAccount, filledAt, sqlId, type Reader } from '../read-side.ts';
import { atMost, type CheckSubject } from '../subject.ts';

const bars = { pass: 1.5, stretch: 1.2 };
const [few, many] = [10, 500];
const page = 10;
const requests = 2_000;

interface Profiles {
  readonly profiles: number;
}

interface FilledProfiles extends Profiles {
  readonly owner: Reader;
}

/** A profile that was created and never launched, as its row has it. */
const stateOf = (owner: string): string =>
  JSON.stringify({
    status: 'active',
    accountId: owner,
    name: 'A profile',
    archetype: 'iphone-15-pro-safari-18',
    description: null,
    noiseSeed: 'AAAAAAAAAAAAAAAAAAAAAA',
    origin: { kind: 'created' },
    state: null,
    createdAt: filledAt(0),
    updatedAt: filledAt(0),
    lastUsedAt: null,
    use: { kind: 'free' },
    savedBy: null,
    saveFailure: null,
    offer: null,
    receivedFrom: null,
    purgeAt: null,
  });

/** Number `i` is `i` seconds younger than the first. */
async function fillProfiles(pool: pg.Pool, { profiles }: Profiles): Promise<FilledProfiles> {
  const owner = await addReader(pool, 0);
  const account = filledAccount(owner.account);
  const id = sqlId('prof', 'i');
  await pool.query(
    `insert into read_model.profiles (id, account_id, status, storage_bytes, state, created_at, commit_position, prepare_position)
     select ${id}, $2, 'active', 0, $3::jsonb || jsonb_build_object('profileId', ${id}),
       $4::timestamptz + i * interval '1 second', 0, 0
     from generate_series(0, $1::int - 1) as i`,
    [profiles, account, stateOf(account), filledAt(0)],
  );
  await pool.query('vacuum analyze read_model.profiles');
  await setCheckpoint(pool, { commit: 0n, prepare: 0n });
  return { profiles, owner };
}

const tables = filledTables<Profiles, FilledProfiles>(
  [few, many].map((profiles) => ({ profiles })),
  { databaseOf: ({ profiles }) => `profiles_${profiles}`, fill: fillProfiles },
);

const cursors = createCursors([Buffer.from(benchCursorKey)]);

/** A full page at any position of the list, as cursors would reach it. */
const askPage: Ask<FilledProfiles> = ({ profiles, owner }, index) => {
  const newest = page + scattered(index, profiles - page + 1);
  const cursor = cursors.encode('profiles.list', filledAccount(owner.account), [filledAt(newest), '']);
  return { path: `/v1/profiles?limit=${page}&cursor=${cursor}`, reader: owner };
};

export const profileLists: CheckSubject = {
  kind: 'check',
  id: 'profile-lists',
  long: true,
  title: `p99 of a page of ${page} of ${many} profiles / of ${few}`,
  bars,
  unit: 'x',
  async check(bench) {
    const served = await tables(bench);
    try {
      const measured = await served.measure(askPage, requests);
      const p99 = (of: number): number =>
        percentile(measured.find(({ shape }) => shape.profiles === of)?.took ?? [], 0.99);
      return atMost(bars, p99(many) / p99(few), {
        requests,
        p99_ms_of_10: p99(few),
        p99_ms_of_500: p99(many),
      });
    } finally {
      await served.close();
    }
  },
};
