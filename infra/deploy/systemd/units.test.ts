import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { variables } from '../../config/index.ts';
import { roleNames } from '../../main/roles/table.ts';
import type { WallClock } from '../../verification/faults/surroundings.ts';
import { configure } from '../../verification/hosts/environment.ts';
import { blocksOf } from '../../verification/stack/restoring.ts';
import { tempDir } from '../../verification/testbed/index.ts';
import { assignments, complaintsAbout, type Given } from '../testing/environment.ts';
import { checkout, environmentOf, here, textOf, valuesOf } from './testing.ts';

const run = promisify(execFile);

/** A unit, its environment file, and the highest exposure that `systemd-analyze security` may report. */
const units = [
  { unit: 'service.service', file: 'service.env', exposure: 3.0 },
  { unit: 'service-node.service', file: 'node.env', exposure: 4.0 },
] as const;

/** Runs no role. */
const backup = { unit: 'service-backup.service', exposure: 3.0 };

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

  it('copy only a service that runs, so that none is started or copied while it is restored', () => {
    const [state = ''] = valuesOf('service.service', 'StateDirectory');
    expect(valuesOf(backup.unit, 'AssertPathExists')).to.deep.equal([`/var/lib/${state}/stack.json`]);
  });

  it('leave it to the supervisor to start again what the kernel has ended', () => {
    expect(valuesOf('service.service', 'OOMPolicy')).to.deep.equal(['continue']);
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
    const stores = { eventStore: 1, postgres: 2, redis: 3, password: 'test' };
    const told = configure(tempDir('hosts'), stores, { environment: {} } as unknown as WallClock)('api-1');
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

  it('leave /proc as it is where browsers mount one of their own', () => {
    const over = [
      'ProtectKernelTunables',
      'ProtectKernelLogs',
      'ProtectHostname',
      'ProtectProc',
      'ProcSubset',
    ];
    for (const name of [...over, 'InaccessiblePaths', 'ReadOnlyPaths'])
      expect(valuesOf('service-node.service', name), name).to.deep.equal([]);
  });

  it('have browsers write below the state of their unit, by a path that is short enough for sockets', () => {
    const { WEBKIT_RUNTIME_DIR: path = '' } = environmentOf('service-node.service');
    expect(path).to.match(new RegExp(`^%S/${valuesOf('service-node.service', 'StateDirectory').join()}/.`));
    expect(path.replace('%S', '/var/lib').length).to.be.below(80);
  });

  it('are each started on the new tree by the written upgrade, which browsers of the old one do not see', () => {
    const [block = ''] = blocksOf('Upgrade');
    const steps = block.split('\n').map((line) => line.replace(/ +#.*/, ''));
    const exchange = steps.findIndex((line) => line.startsWith('mv /opt/service '));
    expect(steps.indexOf('systemctl stop service-node')).to.be.within(0, exchange);
    const after = steps.slice(exchange + 1).join('\n');
    for (const { unit } of units)
      expect(after).to.match(new RegExp(`systemctl (re)?start ${unit.replace('.service', '')}\\b(?!-)`));
  });

  it('are given time for all that a node may wait for', () => {
    const { DRAIN_LIMIT } = assignments(textOf('node.env'));
    expect([DRAIN_LIMIT, valuesOf('service-node.service', 'TimeoutStopSec')]).to.deep.equal([
      '10m',
      ['11min'],
    ]);
  });
});
