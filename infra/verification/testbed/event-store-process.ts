import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from '../../main/bootstrap/bundle.mjs';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const here = import.meta.dirname;

let program: Promise<string> | undefined;

/**
 * Starts the embedded event store with its fault switches (`event-store-child.ts`). The first start of a test process
 * bundles it into one file, because resolving and translating its modules takes a second each time.
 */
export async function startEventStoreProcess(
  output: Exclude<StdioOptions, string>[number],
  ...args: readonly string[]
): Promise<ChildProcess> {
  program ??= make();
  return spawn(process.execPath, [join(here, 'event-store-child.mjs'), await program, ...args], {
    stdio: ['ignore', output, output, 'ipc'],
    // JSON has no `Infinity`.
    serialization: 'advanced',
  });
}

async function make(): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'service-event-store-'));
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  await bundle({ root, entries: [join(here, 'event-store-child.ts')], directory, sources: [] });
  return join(directory, 'event-store-child.cjs');
}
