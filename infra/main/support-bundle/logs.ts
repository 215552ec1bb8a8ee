import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { scrubbedLine } from './scrub.ts';

/** Maximum size of the end of each log. */
const mostBytes = 4 * 1024 * 1024;
const mostLines = 5_000;

/** The last lines of a process's log, scrubbed; lines in another format are counted. */
export async function logOf(dataDir: string, name: string): Promise<string> {
  const lines = (await endOf(join(dataDir, 'logs', `${name}.log`))).split('\n').filter((line) => line !== '');
  const shown = lines.slice(-mostLines).map(scrubbedLine);
  const kept = shown.filter((line) => line !== undefined);
  const left = shown.length - kept.length;
  return [
    ...kept,
    ...(left > 0 ? [`${left} lines in another format than the service's are left out.`] : []),
    '',
  ].join('\n');
}

async function endOf(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const from = Math.max(0, size - mostBytes);
    const bytes = Buffer.alloc(size - from);
    await file.read(bytes, 0, bytes.length, from);
    const text = bytes.toString();
    // The first line may be incomplete.
    return from === 0 ? text : text.slice(text.indexOf('\n') + 1);
  } finally {
    await file.close();
  }
}
