import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const made: string[] = [];

/** A directory of the test's own, removed with everything in it when the run ends. */
export function tempDir(name = 'test'): string {
  const path = mkdtempSync(join(tmpdir(), `service-${name}-`));
  made.push(path);
  return path;
}

export function removeTempDirs(): void {
  for (const path of made.splice(0)) rmSync(path, { recursive: true, force: true, maxRetries: 5 });
}
