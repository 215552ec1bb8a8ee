import type pg from 'pg';
import { pseudonymOf } from '../../contracts/audit/pseudonym.ts';
import { rootAt } from '../../contracts/audit/tree.ts';
import type { AccountId } from '../../contracts/ids.ts';
import { followsLine } from '../../infra/notes/note.ts';
import { logName, signHead, type NoteKey, type NoteKeys } from '../../infra/notes/note-keys.ts';
import type { Vault } from '../../infra/vault/index.ts';
import { treeRowsOf } from './tree.ts';

export interface SigningPorts {
  readonly pool: pg.Pool;
  readonly vault: Pick<Vault, 'salt'>;
  readonly noteKeys: Pick<NoteKeys, 'current'>;
  /** The service's public base URL. */
  readonly baseUrl: string;
}

export interface SignedHead {
  readonly log: string;
  readonly size: number;
  /** Base64. */
  readonly root: string;
  readonly note: string;
  /** When this size was first signed, ISO 8601. */
  readonly at: string;
}

/** `shorter`: the log has fewer entries than were signed; `other`: its first entries differ. */
export type Contradiction = 'shorter' | 'other';

/** The signing of the log is stopped, because signed heads contradict it or the public head cannot be read. */
export class SigningStopped extends Error {
  override readonly name = 'SigningStopped';
}

/** Signing the present head contradicts, or might contradict, a signed one. */
export class HeadContradicted extends Error {
  readonly contradiction: Contradiction;
  constructor(accountId: string, contradiction: Contradiction) {
    super(`The audit log of ${accountId} is ${contradiction} than what was signed of it.`);
    this.name = 'HeadContradicted';
    this.contradiction = contradiction;
  }
}

/** Maximum conflicts with concurrent signers. */
const mostTries = 10;

/**
 * Signs the heads of accounts' audit logs. The last signed head is in `vault.signed_heads`, and is advanced before a larger head
 * is signed, by one statement and only from the value that the head was checked against. So no two notes contradict each other,
 * even with concurrent or killed signers. Rejects with `HeadContradicted`, `SigningStopped`, and as `Vault.salt` for an erased
 * account.
 */
export function createHeadSigner({ pool, vault, noteKeys, baseUrl }: SigningPorts) {
  return async (accountId: AccountId): Promise<SignedHead> => {
    const [key, salt] = await Promise.all([noteKeys.current(), vault.salt(accountId)]);
    const pseudonym = pseudonymOf(accountId, salt);
    const { previous, ...head } = await advance(pool, accountId, key.log);
    const lines = previous === null ? [] : [previousLine(baseUrl, pseudonym, previous)];
    const origin = `${key.name}/${pseudonym}`;
    return { ...head, log: key.log, note: noteOf(key, { ...head, origin }, lines) };
  };
}
export type HeadSigner = ReturnType<typeof createHeadSigner>;

const noteOf = (
  key: NoteKey,
  { origin, size, root }: Pick<SignedHead, 'size' | 'root'> & { readonly origin: string },
  lines: readonly string[],
): string => signHead(key, { origin, size, root: Buffer.from(root, 'base64') }, lines);

/** Notes of a log that replaced another one name the last head of that log. */
const previousLine = (baseUrl: string, pseudonym: string, { log, size, root }: GuardedHead): string =>
  followsLine({ origin: `${logName(baseUrl, log)}/${pseudonym}`, size, root });

interface GuardedHead {
  readonly log: string;
  readonly size: number;
  readonly root: string;
  readonly at: Date;
}

/** Checks the present head against the last signed one, and replaces that. */
async function advance(pool: pg.Pool, accountId: AccountId, log: string) {
  for (let tries = 0; tries < mostTries; tries += 1) {
    const { size, guarded, previous, stopped } = await headsOf(pool, accountId, log);
    if (stopped !== null) throw new SigningStopped(stopped);
    const root = await assertContinues(pool, accountId, size, guarded);
    if (guarded?.size === size) return { size, root, at: guarded.at.toISOString(), previous };
    const at = await replaceHead(pool, { accountId, log, size, root }, guarded);
    if (at !== undefined) return { size, root, at: at.toISOString(), previous };
  }
  throw new Error(`The head of ${accountId} is advanced by too many at once.`);
}

/** The root of the present tree, base64. */
async function assertContinues(
  pool: pg.Pool,
  accountId: AccountId,
  size: number,
  guarded: GuardedHead | undefined,
): Promise<string> {
  if (guarded !== undefined && size < guarded.size) throw new HeadContradicted(accountId, 'shorter');
  const rows = treeRowsOf(pool, accountId);
  const root = async (of: number) => (await rootAt(rows, of)).toString('base64');
  if (guarded !== undefined && (await root(guarded.size)) !== guarded.root)
    throw new HeadContradicted(accountId, 'other');
  return root(size);
}

interface HeadsRow {
  readonly present: number;
  readonly stopped: string | null;
  readonly signed: readonly (Omit<GuardedHead, 'at'> & { readonly at: string })[];
}

async function headsOf(pool: pg.Pool, accountId: AccountId, log: string) {
  const { rows } = await pool.query<HeadsRow>({
    name: 'audit-heads',
    text: `select
        coalesce((select max(sequence) from read_model.audit_log where account_id = $1), 0) as present,
        (select reason from vault.signing_stops where log = $2) as stopped,
        (select coalesce(json_agg(json_build_object('log', log, 'size', size, 'root', root, 'at', signed_at) order by sequence), '[]')
         from vault.signed_heads where account_id = $1) as signed`,
    values: [accountId, log],
  });
  const { present = 0, signed = [], stopped = null } = rows[0] ?? {};
  const heads = signed.map(({ at, ...head }) => ({ ...head, at: new Date(at) }));
  const own = heads.findIndex((head) => head.log === log);
  const before = own === -1 ? heads : heads.slice(0, own);
  return { size: present, stopped, guarded: heads[own], previous: before.at(-1) ?? null };
}

/** Time of the signature; undefined if the stored head changed since the check. */
async function replaceHead(
  pool: pg.Pool,
  {
    accountId,
    log,
    size,
    root,
  }: { readonly accountId: string; readonly log: string } & Pick<GuardedHead, 'size' | 'root'>,
  held: GuardedHead | undefined,
): Promise<Date | undefined> {
  const { rows } = await pool.query<{ signed_at: Date }>({
    name: 'audit-advance-head',
    text: `insert into vault.signed_heads as head (account_id, log, size, root) values ($1, $2, $3, $4)
           on conflict (account_id, log) do update
             set size = excluded.size, root = excluded.root, signed_at = greatest(head.signed_at, excluded.signed_at)
             where head.size = $5 and head.root = $6
           returning signed_at`,
    values: [accountId, log, size, root, held?.size ?? null, held?.root ?? null],
  });
  return rows[0]?.signed_at;
}
