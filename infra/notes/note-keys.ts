import { createPrivateKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import type { SigningKey, SigningKeys } from '../vault/index.ts';
import { checkpointLines, signedNote, vkeyOf, type NamedKey, type SignedHead } from './note.ts';

/** A present or earlier signing key of heads of audit logs. Its name is the origin of the service's tree. */
export interface NoteKey extends NamedKey {
  /** The log that it signs: empty for the first one, a random word for each later one started by an operator. */
  readonly log: string;
  readonly vkey: string;
  /** Start of its use, ISO 8601. */
  readonly from: string;
  /** When the next key of this name, or of a new log, replaced it; null for the present one. */
  readonly until: string | null;
  /** A note with the name and the vkey, signed by the previous key; null for the first one. */
  readonly introduction: string | null;
}

/** A key as stored in the vault. */
interface Kept {
  readonly name: string;
  readonly log: string;
  /** PKCS #8. */
  readonly key: string;
}

export interface NoteKeyOptions {
  readonly keys: Pick<SigningKeys, 'all' | 'add' | 'findOrCreate'>;
  /** The service's public base URL, without a final slash. */
  readonly baseUrl: string;
}

/** The origin of a log's tree. An account's is below it. */
export const logName = (baseUrl: string, log: string): string =>
  `${baseUrl.replace(/^[a-z]+:\/\//i, '')}/audit${log && `-${log}`}`;

/**
 * The signing keys of heads. None is ever deleted, because its signatures must remain verifiable. They are read from the vault
 * each time, so that a rotation takes effect everywhere at once.
 */
export function createNoteKeys({ keys, baseUrl }: NoteKeyOptions) {
  const make = (log: string): Buffer => {
    const key = generateKeyPairSync('ed25519').privateKey.export({ format: 'der', type: 'pkcs8' });
    const kept: Kept = { name: logName(baseUrl, log), log, key: key.toString('base64') };
    return Buffer.from(JSON.stringify(kept));
  };
  const list = async (): Promise<readonly NoteKey[]> => noteKeysOf(await keys.all());
  const newestOf = (all: readonly NoteKey[], log = all.at(-1)?.log): NoteKey | undefined =>
    all.findLast(({ name }) => name === logName(baseUrl, log ?? ''));
  const add = async (log: string): Promise<NoteKey> => {
    await keys.add(make(log));
    const added = newestOf(await list(), log);
    if (added === undefined) throw new Error('The vault has lost the key that was added.');
    return added;
  };
  const current = async (): Promise<NoteKey> => {
    const all = noteKeysOf(await keys.findOrCreate(() => make('')));
    return newestOf(all) ?? add(all.at(-1)?.log ?? '');
  };
  return {
    /** From the first to the newest. */
    list,
    /** The present signing key. Created if there is none, or none under this base URL. */
    current,
    /** Adds a key of the same log. */
    rotate: async (): Promise<NoteKey> => add((await current()).log),
    /** Adds a key of a new log, whose heads cannot contradict those of the previous one. */
    beginLog: async (): Promise<NoteKey> => {
      await current();
      return add(randomBytes(6).toString('hex'));
    },
  };
}
export type NoteKeys = ReturnType<typeof createNoteKeys>;

/** The signed note of a head. `more`: lines behind the checkpoint's. */
export const signHead = (key: NamedKey, head: SignedHead, more: readonly string[] = []): string =>
  signedNote(checkpointLines(head, more), key);

/** A key under another base URL coexists with it: processes with the old one may still sign. */
const succeeds = (next: Omit<Kept, 'key'>, { name, log }: Omit<Kept, 'key'>): boolean =>
  next.name === name || next.log !== log;

function noteKeysOf(rows: readonly SigningKey[]): NoteKey[] {
  // After a clock was set back between two rotations, no key ends before it began.
  let latest = 0;
  const begun = rows.map(({ secret, createdAt }) => {
    latest = Math.max(latest, createdAt.getTime());
    const { name, log, key } = JSON.parse(secret.toString()) as Kept;
    const privateKey = createPrivateKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'pkcs8' });
    const named = { name, privateKey };
    return { ...named, log, vkey: vkeyOf(named), from: new Date(latest).toISOString() };
  });
  return begun.map((each, index) => {
    const before = begun[index - 1];
    return {
      ...each,
      until: begun.slice(index + 1).find((next) => succeeds(next, each))?.from ?? null,
      introduction: before === undefined ? null : signedNote([each.name, each.vkey], before),
    };
  });
}
