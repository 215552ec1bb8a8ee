import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { freePort } from '../../platform/free-port.ts';
import { tempDir } from './temp-dir.ts';
import { until } from './until.ts';

export interface TestRedis {
  readonly url: string;
  readonly port: number;
  /** SIGSTOP: it keeps its connections and does not answer. */
  pause(): void;
  stop(): Promise<void>;
}

const started = new Set<TestRedis>();

/**
 * A redis-server of the test's own, without persistence. Give `port` to start one again where another was. Rejects if
 * none is installed.
 */
export async function startRedis(port?: number): Promise<TestRedis> {
  const chosen = port ?? (await freePort());
  const args = ['--port', String(chosen), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const child = spawn('redis-server', [...args, '--dir', tempDir('redis')], { stdio: 'ignore' });
  await once(child, 'spawn');
  const gone = once(child, 'close');
  await until(() => accepts(chosen), { limitMs: 10_000 });
  const redis: TestRedis = {
    url: `redis://127.0.0.1:${chosen}`,
    port: chosen,
    pause: () => void child.kill('SIGSTOP'),
    stop: async () => {
      started.delete(redis);
      child.kill('SIGKILL');
      await gone;
    },
  };
  started.add(redis);
  return redis;
}

export async function stopRedis(): Promise<void> {
  await Promise.all([...started].map((redis) => redis.stop()));
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
