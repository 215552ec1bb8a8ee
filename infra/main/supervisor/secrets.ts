import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setIn, withSecretFiles, type Environment } from '../../config/index.ts';
import { writeDurably } from '../../platform/durable-file.ts';

/** Variables of the configuration. */
const own = {
  MASTER_KEY: () => randomBytes(32).toString('base64'),
  KEY_PEPPER: () => randomBytes(32).toString('base64url'),
  CURSOR_KEY: () => randomBytes(32).toString('base64url'),
  NODE_JOIN_TOKEN: () => randomBytes(32).toString('base64url'),
  METRICS_TOKEN: () => randomBytes(32).toString('base64url'),
  OPERATOR_TOKEN: () => randomBytes(32).toString('base64url'),
} as const;
export const ownSecrets = Object.keys(own) as (keyof typeof own)[];

/** Passwords of the embedded stores. */
const ofEmbedded = {
  EVENT_STORE_PASSWORD: () => randomBytes(24).toString('base64url'),
  POSTGRES_PASSWORD: () => randomBytes(24).toString('base64url'),
} as const;
export const embeddedPasswords = Object.keys(ofEmbedded) as (keyof typeof ofEmbedded)[];

const generated = { ...own, ...ofEmbedded } as const;

/** Variables with several values in use; `retired`: where values go that must not be lost. */
const lists = {
  MASTER_KEY: {},
  KEY_PEPPER: { retired: 'RETIRED_PEPPERS' },
  CURSOR_KEY: {},
} as const satisfies Partial<Record<keyof typeof generated, { retired?: string }>>;

export type ListedSecret = keyof typeof lists;

export type Secrets = Readonly<Record<keyof typeof generated, string>>;

/** The secrets stored in `DATA_DIR/secrets.json` (0600). Missing ones are generated, and written to disk before they are used. */
export async function loadSecrets<Name extends keyof Secrets>(
  dataDir: string,
  names: readonly Name[],
): Promise<Pick<Secrets, Name> & Partial<Secrets>> {
  const path = pathIn(dataDir);
  const kept = await readSecrets(path);
  const made = names.map((name) => [name, kept[name] ?? generated[name]()] as const);
  const secrets = { ...kept, ...Object.fromEntries(made) } as Secrets;
  if (made.some(([name]) => kept[name] === undefined)) await store(path, secrets);
  return secrets;
}

/**
 * The variables of the processes: a secret of the data directory stands for one that is not given, or empty. One that is given as a file is
 * named by its file, so that no environment contains it.
 */
export function environmentOf(secrets: Environment, given: Environment, shared: Environment): Environment {
  const hasQueue = given.QUEUE_URL || given.QUEUE_URL_FILE;
  // A queue on Postgres has its address, which may be in a file.
  const queue = hasQueue ? {} : { QUEUE_URL_FILE: given.POSTGRES_URL_FILE };
  return withSecretFiles({ ...secrets, ...setIn(given), ...shared }, { ...given, ...queue });
}

/** Prepends a new value. */
export const rotateSecret = (dataDir: string, name: ListedSecret): Promise<void> =>
  change(dataDir, name, (kept) => ({ [name]: [generated[name](), ...listOf(kept[name])].join() }));

/** Removes all values but the first. */
export const retireSecrets = (dataDir: string, name: ListedSecret): Promise<void> =>
  change(dataDir, name, (kept) => {
    const [first = '', ...others] = listOf(kept[name]);
    const { retired }: { readonly retired?: string } = lists[name];
    if (retired === undefined || others.length === 0) return { [name]: first };
    return { [name]: first, [retired]: [...others, ...listOf(kept[retired])].join() };
  });

const pathIn = (dataDir: string): string => join(dataDir, 'secrets.json');

const listOf = (value = ''): string[] => value.split(',').filter((each) => each !== '');

type Kept = Readonly<Record<string, string>>;

async function change(dataDir: string, name: ListedSecret, to: (kept: Kept) => Kept): Promise<void> {
  const path = pathIn(dataDir);
  const kept = await readSecrets(path);
  if (kept[name] === undefined)
    throw new Error(
      `${path} has no ${name}. Change it where it is kept: put the new key first, with a comma between the keys.`,
    );
  await store(path, { ...kept, ...to(kept) });
}

async function readSecrets(path: string): Promise<Kept> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '{}';
    throw error;
  });
  return JSON.parse(text) as Kept;
}

const store = (path: string, secrets: Kept): Promise<void> =>
  writeDurably(path, JSON.stringify(secrets, null, 2));
