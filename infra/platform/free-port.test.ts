import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { expect } from 'chai';
import { until } from '../verification/testbed/index.ts';
import { claim, claimPort, freePort, isFree } from './free-port.ts';

const module = new URL('./free-port.ts', import.meta.url).href;

describe('a free port', () => {
  it('is one on which no process listens', async () => {
    expect(await isFree(await freePort())).to.equal(true);
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    expect([await isFree(port), await claim(port)]).to.deep.equal([false, undefined]);
    server.close();
    await until(() => claim(port));
  });

  it('is claimed by one process until it is released, even before that listens', async () => {
    const { port, release } = await claimPort();
    expect(await claim(port)).to.equal(undefined);
    expect(await isFree(port)).to.equal(true);
    release();
    await until(() => claim(port));
  });

  it('is free again when the process that claimed it is killed', async () => {
    const script = `import { freePort } from '${module}'; console.log(await freePort()); setInterval(() => undefined, 60_000);`;
    const child = spawn(process.execPath, ['--import=tsx', '--input-type=module', '--eval', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [said] = (await once(child.stdout, 'data')) as [Buffer];
    const port = Number(said);
    expect(await claim(port)).to.equal(undefined);
    child.kill('SIGKILL');
    await until(() => claim(port));
  });
});
