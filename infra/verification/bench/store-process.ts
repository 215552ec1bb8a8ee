import { once } from 'node:events';
import { startEventStoreProcess } from '../testbed/event-store-process.ts';

export interface StoreProcess {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** An embedded event store in a process of its own, so that only the client is measured here. */
export async function startStoreProcess(dataDir: string): Promise<StoreProcess> {
  const child = await startEventStoreProcess('inherit', dataDir);
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
