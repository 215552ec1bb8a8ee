import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../platform/free-port.ts';
import { tempDir } from './temp-dir.ts';
import { within } from '../../platform/timeout.ts';

/** An S3 server: OpenStack Swift with its S3 API. */
export interface TestS3 {
  readonly host: string;
  readonly port: number;
  readonly url: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** SIGSTOP: it keeps its connections and does not answer. */
  pause(): void;
  resume(): void;
  stop(): Promise<void>;
}

const entry = fileURLToPath(new URL('swift-server.py', import.meta.url));
const started = new Set<TestS3>();

/** A server of the test's own, without buckets. Its modules come with Debian's Python. */
export async function startS3(): Promise<TestS3> {
  const port = await freePort();
  const child = spawn('/usr/bin/python3', [entry, tempDir('swift'), String(port)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const gone = once(child, 'close');
  const ended = gone.then((): never => {
    throw new Error('The S3 server ended before it was ready.');
  });
  ended.catch(() => undefined);
  await within(60_000, Promise.race([once(child.stdout, 'data'), ended]));
  const server: TestS3 = {
    host: '127.0.0.1',
    port,
    url: `http://127.0.0.1:${port}`,
    accessKeyId: 'test:tester',
    secretAccessKey: 'testing',
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    stop: async () => {
      started.delete(server);
      child.kill('SIGKILL');
      await gone;
    },
  };
  started.add(server);
  return server;
}

export async function stopS3(): Promise<void> {
  await Promise.all([...started].map((server) => server.stop()));
}
