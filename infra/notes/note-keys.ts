import { createPrivateKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import type { SigningKey, SigningKeys } from '../vault/index.ts';
import { checkpointLines, signedNote, vkeyOf, type NamedKey, type SignedHead } from './note.ts';

/** A key that signs, or has signed, the heads of audit logs. Its name is the origin of the service's tree. */
export interface NoteKey extends NamedKey {
  /** Which log it signs: empty for the first one, a random word for each that an operator has begun since. */
  readonly log: string;
  readonly vkey: string;
  /** From when on it signs, ISO 8601. */
  readonly from: string;
  /** When the next key of this name, or of a new log, took over; null for the one that signs. */
  readonly until: string | null;
  /** A note whose lines are the name and the vkey, signed by the key before it; null for the first one. */
  readonly introduction: string | null;
}

/** What the vault keeps of a key. */
interface Kept {
  readonly name: string;
  readonly log: string;
  /** PKCS #8. */
  readonly key: string;
}

export interface NoteKeyOptions {
  readonly keys: Pick<SigningKeys, 'all' | 'add' | 'findOrCreate'>;
  /** The address that clients know the service by. */
  readonly baseUrl: string;
}

/** The origin of a log's tree. An account's is below it. */
export const logName = (baseUrl: string, log: string): string =>
  `${baseUrl.replace(/^[a-z]+:\/\//i, '').replace(/\/+$/, '')}/audit${log && `-${log}`}`;

/**
 * The keys of the heads that the service signs. None is ever dropped, since what it has signed stays to be verified. They are read
 * from the vault each time, so that a rotation is in force everywhere at once.
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
    /** The key to sign with. It is made when there is none, or none under this address. */
    current,
    /** Adds a key of the same log. */
    rotate: async (): Promise<NoteKey> => add((await current()).log),
    /** Adds a key of a new log: heads of the one before are contradicted by none of its. */
    beginLog: async (): Promise<NoteKey> => {
      await current();
      return add(randomBytes(6).toString('hex'));
    },
  };
}
export type NoteKeys = ReturnType<typeof createNoteKeys>;

/** The signed note of a head. `more`: the lines behind what every checkpoint says. */
export const signHead = (key: NamedKey, head: SignedHead, more: readonly string[] = []): string =>
  signedNote(checkpointLines(head, more), key);

/** One under another address alone stands beside it: processes that have the old address may sign yet. */
const succeeds = (next: Omit<Kept, 'key'>, { name, log }: Omit<Kept, 'key'>): boolean =>
  next.name === name || next.log !== log;

function noteKeysOf(rows: readonly SigningKey[]): NoteKey[] {
  // A clock that went back between two rotations makes no key end before it began.
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
