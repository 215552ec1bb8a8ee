import { createHash } from 'node:crypto';
import { realpathSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listens } from './free-port.ts';

/** A directory locked by this process. */
export interface DirectoryLock {
  release(): void;
}

/**
 * Locks a directory until it is released or the process ends for any reason: the lock is a listening socket whose name derives
 * from the directory's real path, so it cannot become stale. It answers with this process's id.
 *
 * @returns the lock, or the id of the process that holds it (`unknown` if it does not answer)
 */
export async function lockDirectory(directory: string): Promise<DirectoryLock | string> {
  const path = addressFor(realpathSync(directory));
  const server = createServer((socket) => socket.on('error', () => undefined).end(String(process.pid)));
  server.unref();
  const lock = { release: () => void server.close() };
  if (await listens(server, { path })) return lock;
  const holder = await askHolder(path);
  if (holder !== undefined) return holder;
  if (process.platform !== 'linux') rmSync(path, { force: true });
  return (await listens(server, { path })) ? lock : 'unknown';
}

function addressFor(realPath: string): string {
  const name = `service-${createHash('sha256').update(realPath).digest('hex').slice(0, 32)}`;
  return process.platform === 'linux' ? `\0${name}` : join(tmpdir(), `${name}.sock`);
}

function askHolder(path: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(path);
    socket.setEncoding('utf8').on('data', (text: string) => (answer += text));
    socket.once('end', () => resolve(answer)).once('error', () => resolve(undefined));
  });
}
