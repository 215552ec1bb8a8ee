import { createHash } from 'node:crypto';
import { realpathSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Somebody else runs on this data directory. */
export class DataDirInUse extends Error {
  constructor(dataDir: string, pid: string) {
    super(
      `Another service already runs on ${dataDir} (process ${pid}). Stop it, or set DATA_DIR to another directory.`,
    );
    this.name = 'DataDirInUse';
  }
}

/**
 * Holds the data directory until the process ends, however it ends: the lock is a listening socket whose name is made
 * from the directory's real path, so nothing stale is left behind. It answers who asks with our process id.
 */
export async function lockDataDir(dataDir: string): Promise<void> {
  const path = addressFor(realpathSync(dataDir));
  const server = createServer((socket) => socket.on('error', () => undefined).end(String(process.pid)));
  const taken = () => listening(server, path);
  if (await taken()) return void server.unref();
  const holder = await askHolder(path);
  if (holder !== undefined) throw new DataDirInUse(dataDir, holder);
  if (process.platform !== 'linux') rmSync(path, { force: true });
  if (!(await taken())) throw new DataDirInUse(dataDir, 'unknown');
  server.unref();
}

function addressFor(realPath: string): string {
  const name = `service-${createHash('sha256').update(realPath).digest('hex').slice(0, 32)}`;
  return process.platform === 'linux' ? `\0${name}` : join(tmpdir(), `${name}.sock`);
}

function listening(server: ReturnType<typeof createServer>, path: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(false) : reject(error);
    server.once('error', failed);
    server.listen(path, () => {
      server.off('error', failed);
      resolve(true);
    });
  });
}

function askHolder(path: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = connect(path);
    socket.setEncoding('utf8').on('data', (text: string) => (answer += text));
    socket.once('end', () => resolve(answer)).once('error', () => resolve(undefined));
  });
}
