import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';
import type { Prepared, RatioSubject, Side } from '../subject.ts';

const entry = fileURLToPath(new URL('./r4-server.ts', import.meta.url));
const concurrency = 32;
const path = '/v1/sessions/ses_33333333-3333-4333-8333-333333333333/interact';
const body = JSON.stringify({
  action: { kind: 'type', selector: '#email', text: 'ada@example.com' },
  timeout_ms: 1000,
});

type App = 'validatedAll' | 'validatedOne' | 'unvalidated';
interface Ready {
  readonly ports: Readonly<Record<App, number>>;
}

const cpuOf = (child: ChildProcess) => async (): Promise<NodeJS.CpuUsage> => {
  const answered = once(child, 'message') as Promise<[{ cpu: NodeJS.CpuUsage }]>;
  child.send('cpu');
  return (await answered)[0].cpu;
};

/** Posts to one app over kept-alive connections, 32 at a time. */
const posting =
  (pool: Pool): Side['run'] =>
  async (operations) => {
    let left = operations;
    const worker = async () => {
      while (left > 0) {
        left -= 1;
        const answer = await pool.request({
          method: 'POST',
          path,
          body,
          headers: { 'content-type': 'application/json' },
        });
        if (answer.statusCode !== 200)
          throw new Error(`The bench's request was answered ${answer.statusCode}.`);
        await answer.body.dump();
      }
    };
    await Promise.all(Array.from({ length: concurrency }, worker));
  };

const compared = (ours: App, raw: App) => async (): Promise<Prepared> => {
  const child = fork(entry, { execArgv: ['--import', 'tsx'] });
  const [{ ports }] = (await once(child, 'message')) as [Ready];
  const pools = [ours, raw].map(
    (app) => new Pool(`http://127.0.0.1:${ports[app]}`, { connections: concurrency }),
  );
  const [oursPool, rawPool] = pools;
  if (!oursPool || !rawPool) throw new Error('Two apps are compared.');
  return {
    ours: { name: ours, run: posting(oursPool), cpuUsage: cpuOf(child) },
    raw: { name: raw, run: posting(rawPool), cpuUsage: cpuOf(child) },
    close: async () => {
      await Promise.all(pools.map((pool) => pool.close()));
      const exited = once(child, 'exit');
      child.disconnect();
      await exited;
    },
  };
};

export const validatedRoute: RatioSubject = {
  kind: 'ratio',
  id: 'R4a',
  title: 'validated route / the same route unvalidated',
  pass: 0.7,
  stretch: 0.85,
  operations: 1500,
  prepare: compared('validatedAll', 'unvalidated'),
};

export const everyPath: RatioSubject = {
  kind: 'ratio',
  id: 'R4b',
  title: 'validated route among all paths / as the only path',
  pass: 0.9,
  stretch: 0.97,
  operations: 1500,
  prepare: compared('validatedAll', 'validatedOne'),
};
