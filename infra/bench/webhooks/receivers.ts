import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { Seen } from './receiver-process.ts';

export interface Receivers {
  readonly url: (kind: 'ok' | 'slow' | 'hang', number?: number) => string;
  /** What came since it was asked last. */
  readonly seen: () => Promise<Seen>;
  readonly close: () => Promise<void>;
}

export async function startReceivers(): Promise<Receivers> {
  const child = fork(new URL('./receiver-process.ts', import.meta.url), { execArgv: ['--import', 'tsx'] });
  const exited = once(child, 'exit');
  const [{ port }] = (await once(child, 'message')) as [{ readonly port: number }];
  return {
    url: (kind, number = 0) => `http://127.0.0.1:${port}/${kind}/${number}`,
    seen: async () => {
      const answered = once(child, 'message') as Promise<[Seen]>;
      child.send('seen');
      return (await answered)[0];
    },
    close: async () => {
      child.disconnect();
      await exited;
    },
  };
}
