import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { freePort } from '../../platform/free-port.ts';
import { tempDir, until } from '../../verification/testbed/index.ts';
import { StartFailed, supervise, type ProcessSpec } from './supervised-process.ts';

describe('a supervised process', () => {
  const { execPath } = process;
  afterEach(() => {
    process.execPath = execPath;
  });

  /** An event store, and what is reported of it. */
  const specOf = async () => {
    const home = tempDir('supervised');
    const logs = join(home, 'logs');
    mkdirSync(logs);
    const spec: ProcessSpec = {
      name: 'event-store',
      program: 'event-store',
      args: [join(home, 'store'), String(await freePort()), 'info', '5000'],
      environment: { ...process.env, EVENT_STORE_PASSWORD: 'test' },
      logFile: join(logs, 'event-store.log'),
    };
    return { spec, logs };
  };

  it('is started again and again while it cannot be started, and runs as soon as it can', async () => {
    const { spec, logs } = await specOf();
    const ends: string[] = [];
    const crashed = (_name: string, how: string) => void ends.push(how);
    const supervised = supervise(spec, { changed: () => undefined, crashed });
    await supervised.firstReady;
    const kill = () => process.kill(supervised.pid() ?? NaN, 'SIGKILL');

    // Reported by an event of the child, as a limit of processes is.
    process.execPath = '/no/such/program';
    kill();
    await until(() => ends.some((how) => how.includes('ENOENT')));
    process.execPath = execPath;
    await until(() => supervised.pid());

    // Thrown by the start.
    ends.length = 0;
    renameSync(logs, `${logs}.away`);
    kill();
    await until(() => ends.some((how) => how.includes('ENOENT')));
    renameSync(`${logs}.away`, logs);
    await until(() => supervised.pid());
    await supervised.stop(10_000);
  });

  it('fails its first start with the reason if it cannot be started, or has no log', async () => {
    const { spec } = await specOf();
    const failureOf = (of: ProcessSpec) =>
      supervise(of, { changed: () => undefined, crashed: () => undefined }).firstReady.catch(
        (error: unknown) => error,
      );
    const lost = await failureOf({ ...spec, logFile: '/no/such/directory/log' });
    process.execPath = '/no/such/program';
    for (const failure of [lost, await failureOf(spec)])
      expect(failure).to.be.instanceOf(StartFailed).and.to.have.property('message').that.includes('ENOENT');
  });
});
