import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { Seen } from './receiver-process.ts';

export interface Receivers {
  readonly url: (kind: 'ok' | 'slow' | 'hang', number?: number) => string;
  /** Requests since the last call. */
  readonly seen: () => Promise<Seen>;
  /** Number of requests so far. */
  readonly count: () => Promise<number>;
  readonly close: () => Promise<void>;
}

export async function startReceivers(): Promise<Receivers> {
  const child = fork(new URL('./receiver-process.ts', import.meta.url), { execArgv: ['--import', 'tsx'] });
  const exited = once(child, 'exit');
  const [{ port }] = (await once(child, 'message')) as [{ readonly port: number }];
  const ask = async <Answer>(question: string): Promise<Answer> => {
    const answered = once(child, 'message') as Promise<[Answer]>;
    child.send(question);
    return (await answered)[0];
  };
  return {
    url: (kind, number = 0) => `http://127.0.0.1:${port}/${kind}/${number}`,
    seen: () => ask<Seen>('seen'),
    count: () => ask<number>('count'),
    close: async () => {
      child.disconnect();
      await exited;
    },
  };
}
