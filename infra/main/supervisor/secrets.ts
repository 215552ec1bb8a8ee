import { randomBytes } from 'node:crypto';
import { open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';

const generated = {
  MASTER_KEY: () => randomBytes(32).toString('base64'),
  KEY_PEPPER: () => randomBytes(32).toString('base64url'),
  CURSOR_KEY: () => randomBytes(32).toString('base64url'),
  NODE_JOIN_TOKEN: () => randomBytes(32).toString('base64url'),
  METRICS_TOKEN: () => randomBytes(32).toString('base64url'),
  OPERATOR_TOKEN: () => randomBytes(32).toString('base64url'),
  EVENT_STORE_PASSWORD: () => randomBytes(24).toString('base64url'),
  POSTGRES_PASSWORD: () => randomBytes(24).toString('base64url'),
} as const;

export type Secrets = Readonly<Record<keyof typeof generated, string>>;

/** The secrets kept in `DATA_DIR/secrets.json` (0600). What is missing is made and is on disk before it is used. */
export async function loadSecrets(dataDir: string): Promise<Secrets> {
  const path = join(dataDir, 'secrets.json');
  const kept = await readSecrets(path);
  const entries = Object.entries(generated).map(([name, make]) => [name, kept[name] ?? make()] as const);
  const secrets = Object.fromEntries(entries) as Secrets;
  if (entries.some(([name]) => kept[name] === undefined)) await store(path, secrets);
  return secrets;
}

async function readSecrets(path: string): Promise<Record<string, string>> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '{}';
    throw error;
  });
  return JSON.parse(text) as Record<string, string>;
}

async function store(path: string, secrets: Secrets): Promise<void> {
  const draft = await open(`${path}.new`, 'w', 0o600);
  await draft.writeFile(JSON.stringify(secrets, null, 2));
  await draft.sync();
  await draft.close();
  await rename(`${path}.new`, path);
}
