import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { connectEventStore } from '../../event-store/client/index.ts';
import { tempDir } from '../testbed/index.ts';

/** A data directory as an earlier release left it, with files that other users can read. */
export function leftOpen(): string {
  const dataDir = tempDir('stack');
  for (const name of ['logs', 'event-store', 'node']) mkdirSync(join(dataDir, name));
  writeFileSync(join(dataDir, 'logs', 'gateway.log'), '');
  for (const path of ['', 'logs', 'event-store', 'node', 'logs/gateway.log'])
    chmodSync(join(dataDir, path), 0o777);
  return dataDir;
}

/** What other users can access in a directory, and the directory itself as `.`. */
export const openToOthers = (directory: string): readonly string[] =>
  ['.', ...readdirSync(directory, { recursive: true, encoding: 'utf8' })].filter(
    (path) => (statSync(join(directory, path)).mode & 0o077) !== 0,
  );

/** Reads the event store's last position. */
export async function headOf(url: string): Promise<unknown> {
  const store = connectEventStore({ url, logger: pino({ level: 'silent' }) });
  try {
    return await store.head();
  } finally {
    await store.close();
  }
}
