import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { freePort } from '../../platform/free-port.ts';
import { readStack, type StackState } from '../../main/supervisor/stack-file.ts';
import { startEventStore, type TestEventStore } from '../testbed/event-store.ts';
import { startStack, tempDir, until, type TestStack } from '../testbed/index.ts';
import { runService } from '../testbed/service.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
/** The environment of a shell without these variables: an empty one counts as not set. */
const noPorts = Object.fromEntries(
  ['WRITE', 'READ', 'PROJECTOR', 'PROCESSES', 'WORKER', 'NODE', 'NODE_HEALTH'].map((name) => [
    `${name}_PORT`,
    '',
  ]),
);
const outputOf = ({ dataDir }: { dataDir: string }) => readFileSync(join(dataDir, 'output'), 'utf8');

describe('two stacks on one machine, of which only PORT is set', function () {
  this.timeout(180_000);
  let eventStore: TestEventStore;
  let embedded: TestStack;
  let external: TestStack;
  const cursorKey = 'of-the-start-'.repeat(3);
  before(async () => {
    const folder = tempDir('external-store');
    eventStore = await startEventStore(join(folder, 'data'), join(folder, 'log'));
    const start = async (env: Record<string, string>) =>
      startStack({
        env: { ...noPorts, PORT: String(await freePort()), ...env },
        isFirstStart: true,
        limitMs: 120_000,
      });
    [embedded, external] = await Promise.all([
      start({ CURSOR_KEY: cursorKey, KEY_GRACE: '2h' }),
      start({ EVENTSTORE_URL: eventStore.url }),
    ]);
  });
  after(async () => {
    await Promise.all([embedded.stop(), external.stop()]);
    await eventStore.stop();
  });

  it('both serve, each at its own address', async () => {
    expect(embedded.baseUrl).not.to.equal(external.baseUrl);
    for (const { baseUrl } of [embedded, external])
      expect((await fetch(`${baseUrl}/readyz`)).status).to.equal(200);
  });

  it('print where the health of each process is', async () => {
    const { stdout } = await embedded.service('processes', '--json');
    const processes = JSON.parse(stdout) as { name: string; pid: number; url: string | null }[];
    const roles = processes.filter(({ url }) => url !== null);
    expect(roles).to.have.length(7);
    for (const { url } of roles) expect((await fetch(`${url}/readyz`)).status).to.equal(200);
    expect(new Set(roles.map(({ url }) => url)).size).to.equal(7);
  });

  it('are operated with the configuration that they were given, of which no file has the secrets', async () => {
    const shell = { ...process.env, DATA_DIR: embedded.dataDir };
    const { stdout } = await runService(['config', 'print', '--json'], shell);
    const rows = JSON.parse(stdout) as { name: string; value: string | null; set: boolean }[];
    expect(rows).to.deep.include.members([
      { name: 'KEY_GRACE', value: '2h', set: true },
      { name: 'CURSOR_KEY', value: '********', set: true },
      { name: 'SMTP_URL', value: null, set: false },
    ]);
    for (const file of ['stack.json', 'secrets.json'])
      expect(readFileSync(join(embedded.dataDir, file), 'utf8'), file).not.to.include(cursorKey);
  });

  it('print the first API key, even with an event store of the operator’s', async () => {
    for (const stack of [embedded, external])
      await until(() => /API key {8}svc_\w+/.test(outputOf(stack)), { limitMs: 60_000 });
  });

  it('create one first account when several start at once, and none in a record that has accounts', async () => {
    const folder = tempDir('fresh-store');
    const fresh = await startEventStore(join(folder, 'data'), join(folder, 'log'));
    const env = { ...process.env, DATA_DIR: external.dataDir, EVENTSTORE_URL: fresh.url };
    const args = ['account', 'create', '--first', '--email', 'first@example.com', '--tier', 'team', '--json'];
    const create = async () => {
      const { status, stdout, stderr } = await runService(args, env);
      expect(status, stderr).to.equal(0);
      return JSON.parse(stdout) as object | null;
    };
    const made = await Promise.all([create(), create(), create()]);
    expect(made.filter((account) => account !== null)).to.have.length(1);
    expect(await create()).to.equal(null);
    await fresh.stop();
  });

  it('name the variable when the address is taken', async () => {
    const port = new URL(embedded.baseUrl).port;
    const refused = await startStack({ env: { ...noPorts, PORT: port } }).catch((error: unknown) => error);
    expect(String(refused)).to.contain(`PORT is ${port}`).and.to.contain('Set PORT to another port');
  });
});

describe('a port that another process uses', () => {
  it('is reported by the name of its variable, if that was set', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const refused = await startStack({ env: { WORKER_PORT: String(port) } }).catch((error: unknown) => error);
    expect(String(refused)).to.contain(`WORKER_PORT is ${port}`);
    server.close();
  });
});

describe('a node on which no browser starts', function () {
  this.timeout(180_000);
  it('is not ready, and the terminal prints why instead of reporting that all processes are ready', async () => {
    const dataDir = tempDir('no-browser');
    const gjs = join(dataDir, 'gjs');
    writeFileSync(gjs, '#!/bin/sh\necho "libmozjs is not there" >&2\nexit 3\n', { mode: 0o755 });
    const env = { ...process.env, DRIVER: 'webkit', WEBKIT_GJS_BINARY: gjs, DATA_DIR: dataDir };
    const supervisor = spawn(process.execPath, ['infra/main/start.mjs', '--roles', 'node'], {
      ...{ cwd: root, stdio: ['ignore', 'pipe', 'inherit'] },
      env: {
        ...env,
        NODE_JOIN_TOKEN: 'that of the control plane, on another machine',
        NODE_PORT: '0',
        NODE_HEALTH_PORT: '0',
      },
    });
    const ended = once(supervisor, 'exit');
    let said = '';
    supervisor.stdout.on('data', (text) => (said += String(text)));
    try {
      await until(() => said.includes('libmozjs is not there'), { limitMs: 120_000 });
      expect(said).to.include(`${gjs} (WEBKIT_GJS_BINARY)`).and.not.include('all processes are ready');
    } finally {
      supervisor.kill('SIGTERM');
      await ended;
    }
  });
});

describe('`npm start`', function () {
  const alive = (pid: number): boolean => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };

  /** npm, its child, and that one's child. */
  async function npmStart() {
    const dataDir = tempDir('npm-start');
    const env = { ...process.env, DRIVER: 'simulated', DATA_DIR: dataDir, PROJECTOR_PORT: '0' };
    const npm = spawn('npm', ['start', '--', '--roles', 'projector'], { cwd: root, env, stdio: 'ignore' });
    const ended = once(npm, 'exit');
    const ready = (): StackState | false => {
      const stack = readStack(dataDir);
      return stack?.ready === true && stack;
    };
    const { processes } = await until(ready, { limitMs: 60_000, everyMs: 50 });
    return { npm, ended, pids: Object.values(processes) };
  }

  it('ends all it started, in order, when npm gets SIGTERM', async () => {
    const { npm, ended, pids } = await npmStart();
    npm.kill('SIGTERM');
    expect(await ended).to.deep.equal([0, null]);
    expect(pids.filter(alive)).to.deep.equal([]);
  });

  it('ends all it started when npm was killed', async () => {
    const { npm, pids } = await npmStart();
    expect(pids.filter(alive)).to.have.length(4);
    npm.kill('SIGKILL');
    await until(() => pids.filter(alive).length === 0, { limitMs: 30_000 });
  });
});
