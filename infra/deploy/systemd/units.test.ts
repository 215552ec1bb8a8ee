import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { variables } from '../../config/index.ts';
import { roleNames } from '../../main/roles/table.ts';
import { readStack } from '../../main/supervisor/stack-file.ts';
import { freePort } from '../../platform/free-port.ts';
import type { WallClock } from '../../verification/faults/surroundings.ts';
import { configure } from '../../verification/hosts/environment.ts';
import { tempDir, until } from '../../verification/testbed/index.ts';
import { assignments, complaintsAbout, type Given } from '../testing/environment.ts';

const checkout = fileURLToPath(new URL('../../../', import.meta.url));
const here = (name: string) => join(import.meta.dirname, name);
const textOf = (name: string) => readFileSync(here(name), 'utf8');
const run = promisify(execFile);

/** A unit, its environment file, and the highest exposure that `systemd-analyze security` may report. */
const units = [
  { unit: 'service.service', file: 'service.env', exposure: 3.0 },
  { unit: 'service-node.service', file: 'node.env', exposure: 4.0 },
] as const;

/** Runs no role. */
const backup = { unit: 'service-backup.service', exposure: 3.0 };

/** All values of a directive, in order. */
const valuesOf = (unit: string, directive: string): readonly string[] =>
  textOf(unit)
    .split('\n')
    .filter((line) => line.startsWith(`${directive}=`))
    .map((line) => line.slice(directive.length + 1));

const environmentOf = (unit: string): Given => assignments(valuesOf(unit, 'Environment').join('\n'));

/** Includes assignments that are commented out. */
const everyAssignment = (file: string): Given => assignments(textOf(file).replaceAll(/^#(?=[A-Z_]+=)/gm, ''));

const rolesOf = (unit: string) => / --roles (\S+)/.exec(valuesOf(unit, 'ExecStart').join())?.[1]?.split(',');

describe('the units for systemd', function () {
  this.timeout(180_000);

  it('hold no mistake that systemd knows of', async () => {
    const folder = tempDir('units');
    // Programs are looked up where they will be installed.
    for (const name of [...units.map(({ unit }) => unit), backup.unit, 'service-backup.timer'])
      writeFileSync(join(folder, name), textOf(name).replaceAll('/opt/service/', checkout));
    const { stdout, stderr } = await run('systemd-analyze', [
      'verify',
      ...readdirSync(folder).map((name) => join(folder, name)),
    ]);
    expect(stdout + stderr).to.equal('');
  });

  it('leave little exposed; of browsers, who make namespaces, a little more', async () => {
    for (const { unit, exposure } of [...units, backup]) {
      const args = ['security', '--offline=true', '--no-pager', `--threshold=${exposure * 10}`, here(unit)];
      const { stdout } = await run('systemd-analyze', args);
      const [, found = '10'] = /Overall exposure level for \S+: ([\d.]+)/.exec(stdout) ?? [];
      expect(Number(found), unit).to.be.at.most(exposure);
    }
  });

  it('let what takes a backup elsewhere reach other machines, for as long as that takes', () => {
    const given = ['PrivateNetwork', 'RestrictAddressFamilies', 'TimeoutStopSec'].map((name) =>
      valuesOf(backup.unit, name).join(),
    );
    // Of these, systemd applies PrivateNetwork= and the limit to commands with all privileges too.
    expect(given).to.deep.equal(['', 'AF_UNIX', 'infinity']);
  });

  it('allow the call by which setpriv starts Postgres, after those of the privileged are taken away', () => {
    const filters = valuesOf('service.service', 'SystemCallFilter');
    expect(filters).to.deep.equal(['@system-service', '~@privileged', 'capset']);
  });

  it('start every role once', () => {
    const started = units.flatMap(({ unit }) => rolesOf(unit) ?? []);
    expect(started).to.have.members([...roleNames]);
  });

  it('tell processes what the configuration has, and no secret in clear', () => {
    for (const { unit, file } of units)
      expect(complaintsAbout({ ...environmentOf(unit), ...everyAssignment(file) }), unit).to.deep.equal([]);
  });

  it('have a line for all that several machines are told when they are tried', () => {
    const ports = { eventStore: 1, postgres: 2, redis: 3 };
    const told = configure(tempDir('hosts'), ports, { environment: {} } as unknown as WallClock)('api-1');
    const ofTheTrial = ['DRIVER', 'RATE_LIMITS', 'DRAIN_LIMIT', 'DATA_DIR', 'NODE_NAME'];
    const isSecret = (name: string) =>
      name.endsWith('_FILE') || variables[name as keyof typeof variables].kind.secret === true;
    const names = Object.keys(told).filter(
      (name) => !(name in process.env) && !ofTheTrial.includes(name) && !isSecret(name),
    );
    expect(names).to.include('HOST');
    expect(everyAssignment('service.env')).to.include.keys(names);
  });

  it('hand on each secret as a file, by its name', () => {
    for (const { unit } of units) {
      const credentials = valuesOf(unit, 'LoadCredential').map((value) => value.split(':')[0] ?? '');
      const named = Object.entries(environmentOf(unit)).filter(([name]) => name.endsWith('_FILE'));
      expect(named).to.deep.equal(credentials.map((name) => [`${name}_FILE`, `%d/${name}`]));
    }
  });

  it('have users that systemd can make', async () => {
    const root = tempDir('users');
    mkdirSync(join(root, 'etc'));
    const { stdout, stderr } = await run('systemd-sysusers', [`--root=${root}`, here('sysusers.conf')]);
    expect(stdout + stderr).not.to.match(/not a valid|ignoring|failed/i);
    const made = readFileSync(join(root, 'etc/passwd'), 'utf8');
    const users = units.flatMap(({ unit }) => valuesOf(unit, 'User'));
    for (const user of users) expect(made).to.match(new RegExp(`^${user}:`, 'm'));
  });

  it('have their logs rotated, each by who writes them', () => {
    const rotated = [...textOf('logrotate.conf').matchAll(/^(\S+) \{\n {2}su (\S+) (\S+)\n/gm)];
    const written = units.map(({ unit }) => {
      const [user, group] = ['User', 'Group'].map((name) => valuesOf(unit, name).join());
      return [`/var/lib/${valuesOf(unit, 'StateDirectory').join()}/logs/*.log`, user, group];
    });
    expect(rotated.map(([, ...found]) => found)).to.deep.equal(written);
  });

  it('hold browsers together to nothing, since the node holds each of them, and end no other with one', () => {
    const held = ['Delegate', 'TasksMax', 'OOMPolicy', 'MemoryMax'].map((name) =>
      valuesOf('service-node.service', name).join(),
    );
    expect(held).to.deep.equal(['yes', 'infinity', 'continue', '']);
  });

  it('are given time for all that a node may wait for', () => {
    const { DRAIN_LIMIT } = assignments(textOf('node.env'));
    expect([DRAIN_LIMIT, valuesOf('service-node.service', 'TimeoutStopSec')]).to.deep.equal([
      '10m',
      ['11min'],
    ]);
  });
});

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
      value.replace(/^%S\/.*/, state).replace('%d', secrets),
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

  it('hands out a support bundle from where its user may write, which names what is to be found elsewhere', async () => {
    const { file, missing } = await operate<{ file: string; missing: string[] }>('support-bundle');
    expect(file).to.match(new RegExp(`^${state}/service-support-[^/]+[.]tar[.]gz$`));
    expect(missing).to.deep.equal(['logs/node.log']);
  });

  it('stops in order within its time', async () => {
    for (const each of started.splice(0).reverse()) expect(await each.stop()).to.equal(0);
  });
});

describe('the secrets of an installation', () => {
  it('are made once, for their owner alone, and are what the configuration takes', async () => {
    const directory = join(tempDir('made'), 'secrets');
    mkdirSync(directory);
    writeFileSync(join(directory, 'CURSOR_KEY'), 'kept');
    await run(here('../make-secrets.sh'), [directory]);
    const made = Object.fromEntries(
      readdirSync(directory).map((name) => [name, readFileSync(join(directory, name), 'utf8')]),
    );
    expect(made.CURSOR_KEY).to.equal('kept');
    const { stdout } = await run('stat', ['-c', '%a', join(directory, 'MASTER_KEY')]);
    expect(stdout.trim()).to.equal('600');
    await run(here('../make-secrets.sh'), [directory]);
    expect(readFileSync(join(directory, 'MASTER_KEY'), 'utf8')).to.equal(made.MASTER_KEY);
  });
});
