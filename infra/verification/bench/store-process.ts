import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export interface StoreProcess {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

const entry = fileURLToPath(new URL('../../event-store/server/main.ts', import.meta.url));

/** An embedded event store in a process of its own, so that what is measured here is the client alone. */
export async function startStoreProcess(dataDir: string): Promise<StoreProcess> {
  const child = spawn(process.execPath, ['--import', 'tsx', entry, '--data-dir', dataDir, '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return { url: await readyUrl(child), stop: () => stop(child) };
}

/** The server prints `{"url": …}` on a line of its own when it takes calls. */
async function readyUrl(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('The event store process has no output to read.');
  for await (const line of createInterface({ input: child.stdout })) {
    const ready: unknown = JSON.parse(line);
    if (typeof ready === 'object' && ready !== null && 'url' in ready && typeof ready.url === 'string') {
      child.stdout.resume();
      return ready.url;
    }
  }
  throw new Error('The event store process ended before it was ready.');
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}
