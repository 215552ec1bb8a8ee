import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { tempDir, until } from '../../verification/testbed/index.ts';
import { runService } from '../../verification/testbed/service.ts';
import {
  createStackPage,
  endLeftovers,
  givenTo,
  readStack,
  writeStack,
  type StackState,
} from './stack-file.ts';

const run = fileURLToPath(new URL('../run.mjs', import.meta.url));

describe('the file that describes a stack', () => {
  const about = (supervisor: number): StackState => ({
    ready: true,
    ...{ base_url: 'http://127.0.0.1:1', write_url: 'http://127.0.0.1:1', read_url: 'http://127.0.0.1:1' },
    processes: { supervisor, gateway: supervisor },
    environment: {
      EVENTSTORE_URL: 'esdb://127.0.0.1:1?tls=false',
      POSTGRES_URL: 'postgres://127.0.0.1:1/postgres',
    },
  });
  /** The id of a process that has ended. */
  const endedPid = async () => {
    const child = spawn(process.execPath, ['-e', '']);
    await once(child, 'exit');
    return Number(child.pid);
  };

  it('is of nothing that runs if its supervisor has ended, or another program has its process id', async () => {
    const dataDir = tempDir('data');
    for (const pid of [await endedPid(), process.pid]) {
      writeStack(dataDir, about(pid));
      expect(readStack(dataDir), String(pid)).to.equal(undefined);
    }
  });

  it('is of what runs while a process with the command line of a supervisor has that id', async () => {
    const dataDir = tempDir('data');
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', run, 'supervisor']);
    await once(child, 'spawn');
    writeStack(dataDir, about(Number(child.pid)));
    expect(readStack(dataDir)).to.deep.equal(about(Number(child.pid)));
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(readStack(dataDir)).to.equal(undefined);
  });

  it('leaves it unknown what a supervisor was given whose environment is hidden, unless that is handed over', async () => {
    const hidden = about(await endedPid());
    expect(givenTo(hidden)).to.equal(undefined);
    const environ = 'HOST=127.0.0.2\0FLEET_TLS=tls\0HOME=/root\0READY_PEERS=http://127.0.0.1:1\0';
    expect(givenTo(hidden, Buffer.from(environ).toString('base64'))).to.deep.equal({
      HOST: '127.0.0.2',
      FLEET_TLS: resolve('tls'),
    });
  });

  it('ends nothing while it cannot be written, and is written once that is possible', async () => {
    // Its directory is made later.
    const dataDir = join(tempDir('data'), 'later');
    const file = join(dataDir, 'stack.json');
    const failures: Error[] = [];
    const page = createStackPage(dataDir, (error) => failures.push(error), 5);
    const { environment, processes, ready: _ready, ...urls } = about(1);
    page.describe({ ...urls, environment, processes: () => processes });
    page.write();
    page.ready();
    expect([failures.length, existsSync(file)]).to.deep.equal([1, false]);
    mkdirSync(dataDir);
    await until(() => existsSync(file));
    page.remove();
    page.write();
    expect(existsSync(file)).to.equal(false);
  });

  it('of a killed supervisor names what is ended, but nothing of another stack, whose processes may have the same ids now', async () => {
    const [dataDir, others] = [tempDir('data'), tempDir('data')];
    const eventStore = (of: string) => ['event-store', join(of, 'event-store'), '1'];
    const left = [dataDir, others].flatMap((of) =>
      [['role', 'gateway'], eventStore(of)].map((args) => {
        const idle = ['-e', 'setInterval(() => {}, 1000)', run, ...args];
        const DATA_DIR = args[0] === 'role' ? of : undefined;
        return { of, child: spawn(process.execPath, idle, { env: { ...process.env, DATA_DIR } }) };
      }),
    );
    await Promise.all(left.map(({ child }) => once(child, 'spawn')));
    const processes = Object.fromEntries(left.map(({ child }, index) => [index, Number(child.pid)]));
    writeStack(dataDir, { ...about(await endedPid()), processes });
    const ended = left.filter(({ of }) => of === dataDir).map(({ child }) => once(child, 'exit'));
    await endLeftovers(dataDir);
    await Promise.all(ended);
    expect(left.map(({ child }) => child.signalCode)).to.deep.equal(['SIGKILL', 'SIGKILL', null, null]);
    for (const { child } of left) child.kill('SIGKILL');
  });

  it('of a killed supervisor is removed with its leftovers, and commands say that nothing runs', async () => {
    const dataDir = tempDir('data');
    writeStack(dataDir, about(await endedPid()));
    const environment = { ...process.env, DATA_DIR: dataDir };
    for (const command of [['processes'], ['nodes', 'list'], ['doctor']]) {
      const { status, stdout, stderr } = await runService(command, environment);
      expect(status).to.equal(1);
      expect(stdout + stderr).to.match(/no service is running on/i, command.join(' '));
    }
    const { stderr } = await runService(['projections', 'status'], environment);
    expect(stderr).to.match(/^No service is running on .*npm start.*\n$/);
    await endLeftovers(dataDir);
    expect(existsSync(join(dataDir, 'stack.json'))).to.equal(false);
  });
});
