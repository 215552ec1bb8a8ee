import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { endProcesses, ownerVariable } from './processes.ts';

/** A screen nobody sees, for all browsers of the node. Reached over a unix socket and only with its own cookie. */
export interface Display {
  /** `DISPLAY` and `XAUTHORITY` for those who draw on it. */
  readonly environment: Readonly<Record<string, string>>;
  readonly alive: boolean;
  close(): Promise<void>;
}

/** Device pixels: room for the largest phone of the catalogue. */
const screen = '1500x3000x24';

export async function startDisplay(binary: string, runtimeDir: string): Promise<Display> {
  const directory = join(runtimeDir, 'display');
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const authority = join(directory, 'authority');
  await writeFile(authority, authorityFile(randomBytes(16)), { mode: 0o600 });
  const server = spawn(
    binary,
    ['-displayfd', '3', '-screen', '0', screen, '-nolisten', 'tcp', '-auth', authority, '-noreset'],
    {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
      env: { PATH: process.env.PATH, [ownerVariable]: directory },
      detached: true,
    },
  );
  let alive = true;
  server.once('exit', () => {
    alive = false;
  });
  const number = await displayNumber(server);
  return {
    environment: { DISPLAY: `:${number}`, XAUTHORITY: authority },
    get alive() {
      return alive;
    },
    close: () => endProcesses(directory, server.pid),
  };
}

/** Xvfb picks a free number and writes it as a line once it listens. Reading stops at its end: a closed pipe would kill it. */
async function displayNumber(server: ChildProcess): Promise<number> {
  const output = server.stdio[3];
  if (!(output instanceof Readable)) throw new Error('Xvfb has no pipe to write its display to.');
  const failed = once(server, 'exit').then(() =>
    Promise.reject(new Error('Xvfb ended before it had a display.')),
  );
  const lines = createInterface({ input: output });
  const line = once(lines, 'line', { signal: AbortSignal.timeout(10_000) });
  return Number(String(await Promise.race([line, failed])));
}

/** One MIT-MAGIC-COOKIE-1 entry for any address, in the format of Xau(3): big-endian lengths before each part. */
function authorityFile(cookie: Buffer): Buffer {
  const anyAddress = Buffer.from([0xff, 0xff]);
  const part = (content: Buffer) => {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(content.length);
    return Buffer.concat([length, content]);
  };
  const empty = Buffer.alloc(0);
  const name = Buffer.from('MIT-MAGIC-COOKIE-1');
  return Buffer.concat([anyAddress, part(empty), part(empty), part(name), part(cookie)]);
}
