import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { Scope } from '../../../contracts/events/api-key.ts';
import { toId, type AccountId, type SessionId } from '../../../contracts/ids.ts';
import { accounts as accountRows } from '../../../projections/read-models/account.ts';
import { apiKeys } from '../../../projections/read-models/api-key.ts';
import { teamMembers } from '../../../projections/read-models/team.ts';
import { hashApiKey, issueApiKey } from '../../keys/index.ts';
import { insertRows, setCheckpoint } from './read-models.ts';

export const benchPepper = 'bench';
export const benchCursorKey = 'a key for the cursors of a bench';

const at = '2026-01-05T12:00:00.000Z';

/** A table of sessions that Postgres fills itself. Its rows are determined by their number. */
export interface Filled {
  readonly sessions: number;
  readonly accounts: number;
  readonly readers: readonly [Reader, ...Reader[]];
}

/** A key to the sessions of account `account`. */
export interface Reader {
  readonly account: number;
  readonly token: string;
}

const mostReaders = 20;

/**
 * Fills the table of sessions: number `i` belongs to account `i mod accounts` and is `i` seconds younger than the
 * first. Some accounts, spread over all, get a key.
 */
export async function fillSessions(pool: pg.Pool, sessions: number, accounts: number): Promise<Filled> {
  await pool.query(
    `insert into read_model.sessions (id, account_id, archetype, status, label, metadata, created_at, updated_at,
       commit_position, prepare_position)
     select ${sqlId('ses', 'i')}, ${sqlId('acc', 'i % $2::int')}, 'iphone-16-ios-18', 'ready', 'filled',
       '{"purpose": "bench"}', $3::timestamptz + i * interval '1 second', $3::timestamptz, i, i
     from generate_series(0, $1::int - 1) as i`,
    [sessions, accounts, at],
  );
  await pool.query('vacuum analyze read_model.sessions');
  await setCheckpoint(pool, { commit: BigInt(sessions), prepare: BigInt(sessions) });
  const count = Math.min(accounts, mostReaders);
  const others: Reader[] = [];
  for (let reader = 1; reader < count; reader += 1)
    others.push(await addReader(pool, Math.floor((reader * accounts) / count)));
  return { sessions, accounts, readers: [await addReader(pool, 0), ...others] };
}

export async function addReader(
  pool: pg.Pool,
  account: number,
  scopes: readonly Scope[] = ['read'],
): Promise<Reader> {
  const accountId = filledAccount(account);
  const { id, text, prefix, last4 } = issueApiKey();
  const created = { created_at: at, updated_at: at };
  await insertRows(pool, accountRows.table, [
    {
      id: accountId,
      sealed_email: 'sealed',
      tier: 'enterprise',
      concurrency_override: null,
      profile_cap_override: null,
      suspended_at: null,
      suspended_reason: null,
      erased_at: null,
      accepted_revision: null,
      ...created,
    },
  ]);
  await insertRows(pool, apiKeys.table, [
    {
      id,
      account_id: accountId,
      name: 'bench',
      scopes: [...scopes],
      prefix,
      last4,
      hash: hashApiKey(text, benchPepper),
      created_at: at,
      expires_at: null,
      revoked_at: null,
      rotated_to: null,
      created_by: null,
    },
  ]);
  return { account, token: text };
}

/** Puts one account on the team of another. */
export const addMember = (pool: pg.Pool, owner: number, member: number): Promise<void> =>
  insertRows(pool, teamMembers.table, [
    {
      id: toId('membership', numberedUuid(owner)),
      account_id: filledAccount(owner),
      member_account_id: filledAccount(member),
      role: 'member',
      created_at: at,
      removed_at: null,
    },
  ]);

/** SQL that converts a number to a uuid, scattered over an index like a random one. */
export const sqlId = (prefix: string, number: string): string =>
  `'${prefix}_' || overlay(overlay(md5((${number})::text) placing '4' from 13) placing '8' from 17)::uuid`;

/** The ids that `fillSessions` makes. */
export const filledSession = (index: number): SessionId => toId('session', numberedUuid(index));
export const filledAccount = (index: number): AccountId => toId('account', numberedUuid(index));

/** The same for a number in JavaScript. */
export function numberedUuid(index: number): string {
  const hash = createHash('md5').update(String(index)).digest('hex');
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-4${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20)}`;
}

/** Creation time of session `index`, in the API's format. */
export const filledAt = (index: number): string => new Date(Date.parse(at) + 1000 * index).toISOString();
