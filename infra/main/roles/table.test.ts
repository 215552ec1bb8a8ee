import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { routes, type Route } from '../../../contracts/routes/index.ts';
import { listen } from '../../http/index.ts';
import { caller } from '../../http/testing.ts';
import { freePort } from '../../platform/free-port.ts';
import { tempDir, until } from '../../verification/testbed/index.ts';
import { requestTimeoutMs } from './table.ts';

const program = fileURLToPath(new URL('../run.mjs', import.meta.url));

describe('the limits of a role', () => {
  it('give the largest contents time to arrive at 20 Mbit/s, at the gateway as at write-api', () => {
    const largest = Math.max(...routes.map(({ spools }: Route) => spools?.mostBytes ?? 0));
    const ms = (((largest * 4) / 3) * 8) / 20_000;
    for (const role of ['gateway', 'write-api'] as const)
      expect(requestTimeoutMs(role), role).to.be.above(ms);
  });

  it('let requests in flight finish within SHUTDOWN_LIMIT, so that the process ends in order', async () => {
    const asked: (string | undefined)[] = [];
    const upstream = await listen(({ url: path }) => asked.push(path), 0);
    const url = `http://127.0.0.1:${upstream.port}`;
    const port = await freePort();
    const gateway = spawn(process.execPath, [program, 'role', 'gateway'], {
      env: {
        ...{ ...process.env, DATA_DIR: tempDir('gateway'), PORT: String(port), SHUTDOWN_LIMIT: '2s' },
        ...{ WRITE_URL: url, READ_URL: url },
      },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    await once(gateway, 'message');
    const answer = caller(port)('GET /v1/sessions').then(
      () => 'answered',
      () => 'cut',
    );
    await until(() => asked.includes('/v1/sessions'));
    const exited = once(gateway, 'exit');
    gateway.kill('SIGTERM');
    expect([await answer, (await exited)[0]]).to.deep.equal(['cut', 0]);
    await upstream.close();
  });
});
