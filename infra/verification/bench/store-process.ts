import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface StoreProcess {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

const entry = fileURLToPath(new URL('../testbed/event-store-child.ts', import.meta.url));

/** An embedded event store in a process of its own, so that only the client is measured here. */
export async function startStoreProcess(dataDir: string): Promise<StoreProcess> {
  const child = spawn(process.execPath, ['--import', 'tsx', entry, dataDir], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit').then((): never => {
    throw new Error('The event store process ended before it was ready.');
  });
  ended.catch(() => undefined);
  const [{ url }] = (await Promise.race([once(child, 'message'), ended])) as [{ url: string }];
  return {
    url,
    stop: async () => {
      child.kill('SIGTERM');
      await ended.catch(() => undefined);
    },
  };
}
