import { execFileSync } from 'node:child_process';
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
  it('is whole before the first profile is saved, and has their states once there are any', () => {
    const { etc, state, backups } = newPlaces('etc', 'state', 'backups');
    secretsIn(etc, { MASTER_KEY: 'key' });
    writeFileSync(join(etc, 'service.env'), 'BASE_URL=https://service.example\n');
    for (const name of ['event-store', 'postgres']) mkdirSync(join(state, name));
    writeFileSync(join(state, 'secrets.json'), '{}');
    const env = { ...process.env, SERVICE_ETC: etc, SERVICE_STATE: state, SERVICE_BACKUPS: backups };
    const copied = (archive: string) => {
      execFileSync(here('backup.sh'), { env, stdio: 'pipe' });
      return execFileSync('tar', ['-tzf', join(backups, archive)], { encoding: 'utf8' }).split('\n');
    };
    expect(copied('record.tgz')).to.deep.equal(['event-store/', '']);
    expect(copied('vault.tgz')).to.include.members(['postgres/', 'secrets.json']);
    expect(copied('configuration.tgz')).to.include.members(['secrets/MASTER_KEY', 'service.env']);
    mkdirSync(join(state, 'blobs'));
    expect(copied('record.tgz')).to.include.members(['event-store/', 'blobs/']);
  });
});

describe('service-command.sh', () => {
  /** The environment that a command gets. */
  function environmentWith(text: string, secrets: Readonly<Record<string, string>>): readonly string[] {
    const { etc, bin } = newPlaces('etc', 'bin');
    secretsIn(etc, secrets);
    writeFileSync(join(etc, 'service.env'), text);
    writeFileSync(join(bin, 'setpriv'), '#!/bin/sh\nexec env\n', { mode: 0o755 });
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
