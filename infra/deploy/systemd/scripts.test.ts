import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { tempDir } from '../../verification/testbed/index.ts';
import { here } from './testing.ts';

/** A directory for each name, below a new one. */
function newPlaces<Name extends string>(...names: Name[]): Readonly<Record<Name, string>> {
  const root = tempDir('machine');
  const places = names.map((name) => [name, join(root, name)] as const);
  for (const [, path] of places) mkdirSync(path);
  return Object.fromEntries(places) as Record<Name, string>;
}

function secretsIn(etc: string, secrets: Readonly<Record<string, string>>): void {
  mkdirSync(join(etc, 'secrets'));
  for (const [name, secret] of Object.entries(secrets)) writeFileSync(join(etc, 'secrets', name), secret);
}

describe('the backup of one machine', () => {
  /** A machine that has not saved a profile yet. `programs`: scripts in place of what the system has. */
  function newMachine(programs: Readonly<Record<string, string>> = {}) {
    const { etc, units, state, backups, bin } = newPlaces('etc', 'units', 'state', 'backups', 'bin');
    secretsIn(etc, { MASTER_KEY: 'key' });
    writeFileSync(join(etc, 'service.env'), 'BASE_URL=https://service.example\n');
    for (const name of ['event-store', 'postgres']) mkdirSync(join(state, name));
    const keepSecrets = (secrets: Readonly<Record<string, string>>) =>
      writeFileSync(join(state, 'secrets.json'), JSON.stringify(secrets, null, 2));
    keepSecrets({});
    for (const [name, text] of Object.entries(programs))
      writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    const env = {
      ...{ SERVICE_ETC: etc, SERVICE_UNITS: units },
      ...{ SERVICE_STATE: state, SERVICE_BACKUPS: backups },
    };
    const backUp = (path = process.env.PATH) =>
      execFileSync(here('backup.sh'), { env: { ...process.env, ...env, PATH: path }, stdio: 'pipe' });
    const contentOf = (archive: string) =>
      execFileSync('tar', ['-tzf', join(backups, archive)], { encoding: 'utf8' }).split('\n');
    return { units, state, backups, bin: `${bin}:${process.env.PATH}`, keepSecrets, backUp, contentOf };
  }
  /** Ends a script by the program of the system that it stands in for. */
  const real = (name: string) => `PATH=\${PATH#*:}\nexec ${name} "$@"`;

  it('is whole before the first profile is saved, and has their states once there are any', () => {
    const { state, backUp, contentOf } = newMachine();
    backUp();
    expect(contentOf('record.tgz')).to.deep.equal(['event-store/', '']);
    expect(contentOf('vault.tgz')).to.include.members(['postgres/', 'secrets.json']);
    expect(contentOf('configuration.tgz')).to.include.members(['secrets/MASTER_KEY', 'service.env']);
    mkdirSync(join(state, 'blobs'));
    backUp();
    expect(contentOf('record.tgz')).to.include.members(['event-store/', 'blobs/']);
  });

  it('has what was told the units in drop-ins, and nothing of other units', () => {
    const { units, backUp, contentOf } = newMachine();
    backUp();
    expect(contentOf('configuration.tgz')).to.have.members([
      'secrets/',
      'secrets/MASTER_KEY',
      'service.env',
      '',
    ]);
    const ours = ['service', 'service-node', 'service-backup'].map((unit) => `${unit}.service.d`);
    for (const name of [...ours, 'service-backup.timer.d', 'other.service.d']) {
      mkdirSync(join(units, name));
      writeFileSync(join(units, name, 'override.conf'), '[Service]\n');
    }
    backUp();
    const dropIns = [...ours, 'service-backup.timer.d'].map((name) => `${name}/override.conf`);
    expect(contentOf('configuration.tgz')).to.include.members([...dropIns, 'service.env']);
    expect(contentOf('configuration.tgz').join()).not.to.include('other');
  });

  it('that fails leaves the one before, and takes no room', () => {
    const { state, backups, bin, backUp, contentOf } = newMachine({
      tar: `case "$*" in *vault.tgz*) echo half >"$4"; exit 2 ;; esac\n${real('tar')}`,
    });
    backUp();
    mkdirSync(join(state, 'blobs'));
    expect(() => backUp(bin)).to.throw();
    expect(contentOf('record.tgz')).to.deep.equal(['event-store/', '']);
    expect(readdirSync(backups).sort()).to.deep.equal(['configuration.tgz', 'record.tgz', 'vault.tgz']);
  });

  it('is none while Postgres was started, whose files would not be of one moment', () => {
    const { backups, bin, backUp } = newMachine({
      tar: `echo 7 >"$SERVICE_STATE/postgres/postmaster.pid"\n${real('tar')}`,
    });
    expect(() => backUp(bin)).to.throw(/was started meanwhile/);
    expect(readdirSync(backups)).to.deep.equal([]);
    backUp();
    expect(readdirSync(backups)).to.have.length(3);
  });

  it('does not replace that of another installation, which a start on an empty disk makes', () => {
    const { state, keepSecrets, backUp, contentOf } = newMachine();
    const named = (POSTGRES_PASSWORD: string) => keepSecrets({ POSTGRES_PASSWORD });
    named('first');
    backUp();
    mkdirSync(join(state, 'blobs'));
    named('second');
    expect(() => backUp()).to.throw(/of another installation/);
    expect(contentOf('record.tgz')).to.deep.equal(['event-store/', '']);
    named('first');
    backUp();
    expect(contentOf('record.tgz')).to.include('blobs/');
  });

  it('replaces the one before also after a change of the password of the event store', () => {
    const { state, keepSecrets, backUp, contentOf } = newMachine();
    keepSecrets({ EVENT_STORE_PASSWORD: 'first', POSTGRES_PASSWORD: 'same' });
    backUp();
    mkdirSync(join(state, 'blobs'));
    keepSecrets({ EVENT_STORE_PASSWORD: 'second', POSTGRES_PASSWORD: 'same' });
    backUp();
    expect(contentOf('record.tgz')).to.include('blobs/');
  });

  it('is on disk before it replaces the one before', () => {
    const note = (name: string) => `echo ${name} >>"$SERVICE_BACKUPS/../order"\n${real(name)}`;
    const { backups, bin, backUp } = newMachine({ sync: note('sync'), mv: note('mv') });
    backUp(bin);
    expect(readFileSync(join(backups, '..', 'order'), 'utf8')).to.equal('sync\nmv\nsync\n');
  });
});

describe('service-command.sh', () => {
  /** The environment that a command gets. */
  function environmentWith(
    text: string,
    secrets: Readonly<Record<string, string>>,
    unitPid = 0,
  ): readonly string[] {
    const { etc, bin } = newPlaces('etc', 'bin');
    secretsIn(etc, secrets);
    writeFileSync(join(etc, 'service.env'), text);
    const programs = { setpriv: 'exec env', systemctl: `echo ${unitPid}` };
    for (const [name, program] of Object.entries(programs))
      writeFileSync(join(bin, name), `#!/bin/sh\n${program}\n`, { mode: 0o755 });
    const env = { PATH: `${bin}:${process.env.PATH}`, SERVICE_ETC: etc, SERVICE_ROOT: bin };
    return execFileSync(here('service-command.sh'), ['doctor'], { env, encoding: 'utf8' }).split('\n');
  }

  it('hands on every line of service.env, as the unit gets them, also a last one that is not ended', () => {
    const told = environmentWith('# comment\nBASE_URL=https://a.example/?b=c d\nTRUST_FORWARDED=true', {});
    expect(told).to.include.members(['BASE_URL=https://a.example/?b=c d', 'TRUST_FORWARDED=true']);
  });

  it('hands on each secret, and not what an editor left beside it', () => {
    const told = environmentWith('', {
      SMTP_URL: 'smtps://u:p$"\'`\\@m',
      'SMTP_URL~': 'old',
      'A.new': 'half',
    });
    expect(told).to.include('SMTP_URL=smtps://u:p$"\'`\\@m');
    expect(told.filter((line) => /old|half|\*/.test(line))).to.deep.equal([]);
  });

  it('hands on what the unit was started with, while it runs', async () => {
    const handed = (pid: number) =>
      environmentWith('', { KEY: 'k' }, pid).filter((line) => line.startsWith('SUPERVISOR_ENVIRON='));
    const unit = spawn('sleep', ['60'], { env: { PATH: process.env.PATH, SMTP_URL_FILE: '/run/SMTP_URL' } });
    await once(unit, 'spawn');
    try {
      const environ = Buffer.from(`PATH=${process.env.PATH}\0SMTP_URL_FILE=/run/SMTP_URL\0`);
      expect(handed(Number(unit.pid))).to.deep.equal([`SUPERVISOR_ENVIRON=${environ.toString('base64')}`]);
    } finally {
      unit.kill('SIGKILL');
    }
    expect(handed(0)).to.deep.equal([]);
  });
});

describe('the secrets of an installation', () => {
  it('are made once, for their owner alone, and are what the configuration takes', () => {
    const directory = join(tempDir('made'), 'secrets');
    const make = () => execFileSync(here('../make-secrets.sh'), [directory], { stdio: 'pipe' });
    const kept = (name: string) => readFileSync(join(directory, name), 'utf8');
    mkdirSync(directory);
    writeFileSync(join(directory, 'CURSOR_KEY'), 'kept');
    make();
    const made = readdirSync(directory).map(kept);
    expect(kept('CURSOR_KEY')).to.equal('kept');
    expect(statSync(join(directory, 'MASTER_KEY')).mode & 0o777).to.equal(0o600);
    make();
    expect(readdirSync(directory).map(kept)).to.deep.equal(made);
  });
});
