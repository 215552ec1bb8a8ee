import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { readStack } from '../../main/supervisor/stack-file.ts';
import { freePort } from '../../platform/free-port.ts';
import { tempDir, until } from '../../verification/testbed/index.ts';
import type { Given } from '../testing/environment.ts';
import { checkout, environmentOf, here, valuesOf } from './testing.ts';

const run = promisify(execFile);

const ports = [
  'PORT',
  'WRITE_PORT',
  'READ_PORT',
  'PROJECTOR_PORT',
  'PROCESSES_PORT',
  'WORKER_PORT',
  'NODE_PORT',
  'NODE_HEALTH_PORT',
];

/**
 * Starts a unit's command in a sandbox like the unit's: an unprivileged user, everything read-only but its state, and a private `/tmp`.
 * systemd itself does not run here.
 */
function start(unit: string, secrets: string, environment: Given) {
  const state = tempDir('unit');
  const filledIn = Object.fromEntries(
    Object.entries(environmentOf(unit)).map(([name, value]) => [
      name,
      value.replace(/^%S\/[\w-]+/, state).replace('%d', secrets),
    ]),
  );
  const bounds = [
    ...['--unshare-user', '--uid', '65534', '--gid', '65534', '--cap-drop', 'ALL', '--die-with-parent'],
    ...['--ro-bind', '/', '/', '--dev-bind', '/dev', '/dev', '--bind', '/proc', '/proc', '--tmpfs', '/tmp'],
    ...['--ro-bind', secrets, secrets, '--ro-bind', checkout, checkout, '--bind', state, state],
  ];
  const [program = '', ...args] = valuesOf(unit, 'ExecStart').join().split(' ');
  expect(program).to.equal('/usr/bin/node');
  const child = spawn('bwrap', [...bounds, '--', process.execPath, ...args], {
    cwd: checkout,
    env: { PATH: process.env.PATH, ...environment, ...filledIn },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const output of [child.stdout, child.stderr])
    output.on('data', (text: Buffer) => (said += text.toString()));
  return {
    state,
    said: () => {
      if (child.exitCode !== null) throw new Error(`It ended: ${said}`);
      return said;
    },
    /** Sends a signal to the process in the sandbox, which passes on its exit status. */
    stop: async () => {
      const { supervisor } = readStack(state)?.processes ?? {};
      if (supervisor === undefined) child.kill('SIGKILL');
      else process.kill(supervisor, 'SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
      return child.exitCode;
    },
  };
}

describe('what the units start', function () {
  this.timeout(240_000);
  const secrets = join(tempDir('secrets'), 'secrets');
  const started: ReturnType<typeof start>[] = [];
  let given: Given;
  after(() => Promise.all(started.map((each) => each.stop())));

  /** Runs an operator's command as `service-command.sh` does, but as this user. */
  const operate = async <Answer = Record<string, string>>(...args: string[]): Promise<Answer> => {
    const env = { ...process.env, ...given, SERVICE_ETC: etc, SERVICE_ROOT: checkout, DATA_DIR: state };
    const { stdout } = await run(here('service-command.sh'), [...args, '--json'], {
      env: { ...env, PATH: `${tools}:${process.env.PATH}` },
    });
    return JSON.parse(stdout) as Answer;
  };
  const [etc, tools] = [tempDir('etc'), tempDir('tools')];
  let state: string;

  before(async () => {
    await run(here('../make-secrets.sh'), [secrets]);
    await run(process.execPath, ['infra/main/run.mjs', 'bundle'], { cwd: checkout });
    const free = await Promise.all(ports.map(async (name) => [name, String(await freePort())] as const));
    given = { ...Object.fromEntries(free), BASE_URL: 'http://service.example' };
    symlinkSync(secrets, join(etc, 'secrets'));
    writeFileSync(join(etc, 'service.env'), '');
    // The unit's user does not exist here.
    writeFileSync(join(tools, 'setpriv'), '#!/bin/sh\nwhile [ "$1" != node ]; do shift; done\nexec "$@"\n', {
      mode: 0o755,
    });
  });

  it('serves, with secrets from files that nothing is made beside', async () => {
    const everything = start('service.service', secrets, given);
    started.push(everything);
    ({ state } = everything);
    await until(() => everything.said().includes('Reference'), { limitMs: 120_000 });
    const kept = JSON.parse(readFileSync(join(state, 'secrets.json'), 'utf8')) as object;
    expect(Object.keys(kept)).to.have.members(['POSTGRES_PASSWORD', 'EVENT_STORE_PASSWORD']);
    expect(everything.said()).not.to.include('API key');
  });

  it('runs real browsers beside it, each in namespaces of its own', async () => {
    const node = start('service-node.service', secrets, given);
    started.push(node);
    const made = await operate(
      'account',
      'create',
      '--first',
      '--email',
      'you@example.com',
      '--tier',
      'enterprise',
    );
    const call = (path: string, body?: object) =>
      fetch(`http://127.0.0.1:${given.PORT}/v1/${path}`, {
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
        headers: { authorization: `Bearer ${made.api_key}`, 'content-type': 'application/json' },
      });
    const created = await until(
      async () => {
        const answer = await call('sessions', {});
        return answer.status === 201 && ((await answer.json()) as { id: string });
      },
      { limitMs: 120_000, everyMs: 500 },
    );
    expect(created.id).to.match(/^ses_/);
    const log = readFileSync(join(node.state, 'logs', 'node.log'), 'utf8');
    expect(log).not.to.include('WITHOUT namespaces');
    expect(readdirSync(node.state)).not.to.include('postgres');
  });

  it('shows no secret in the environment or the command line of any process', () => {
    const texts = readdirSync(secrets).map((name) => readFileSync(join(secrets, name), 'utf8').trim());
    expect(texts.length).to.be.above(0);
    const processes = started.flatMap((each) => Object.entries(readStack(each.state)?.processes ?? {}));
    const names = processes.map(([name]) => name);
    expect(names).to.include.members(['supervisor', 'event-store', 'postgres', 'write-api', 'gateway']);
    for (const [name, pid] of processes) {
      const shown = ['environ', 'cmdline']
        .map((file) => readFileSync(`/proc/${pid}/${file}`, 'utf8'))
        .join('\0');
      expect(
        texts.filter((text) => shown.includes(text)),
        name,
      ).to.deep.equal([]);
      const isStore = name === 'event-store' || name === 'postgres';
      expect(shown.includes('METRICS_TOKEN_FILE='), name).to.equal(!isStore);
    }
  });

  it('hands out a support bundle from where its user may write, which names what is to be found elsewhere', async () => {
    const { file, missing } = await operate<{ file: string; missing: string[] }>('support-bundle');
    expect(file).to.match(new RegExp(`^${state}/service-support-[^/]+[.]tar[.]gz$`));
    expect(missing).to.deep.equal(['logs/node.log']);
  });

  it('stops in order within its time', async () => {
    for (const each of started.splice(0).reverse()) expect(await each.stop()).to.equal(0);
  });
});
