import { execFile } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { tempDir } from '../../verification/testbed/index.ts';
import { startOptions } from './start-options.mjs';

const start = fileURLToPath(new URL('../start.mjs', import.meta.url));

describe('the options of `npm start`', () => {
  /** Runs it where an `apt-get` is the only program in the path. */
  async function started(...args: readonly string[]) {
    const path = tempDir('only-apt-get');
    const calls = join(path, 'calls');
    writeFileSync(join(path, 'apt-get'), `#!/bin/sh\necho "$@" >>${calls}\n`, { mode: 0o755 });
    const env = { ...process.env, PATH: path, DRIVER: 'webkit', DATA_DIR: tempDir('data') };
    return new Promise<{ stderr: string; failed: boolean; installs: boolean }>((resolve) => {
      execFile(process.execPath, [start, ...args], { env }, (error, _stdout, stderr) =>
        resolve({ stderr, failed: error !== null, installs: existsSync(calls) }),
      );
    });
  }

  it('name the roles in either spelling, with blanks', () => {
    expect(startOptions([])).to.deep.equal({ roles: undefined, withoutFirstAccount: false });
    for (const args of [['--roles=gateway, node'], ['--roles', 'gateway , node']])
      expect(startOptions([...args, '--without-first-account'])).to.deep.equal({
        roles: ['gateway', 'node'],
        withoutFirstAccount: true,
      });
  });

  it('install no browser for roles other than that of a node', async () => {
    const { stderr, failed, installs } = await started('--roles=projector,gatewa');
    expect(stderr).to.match(/--roles got gatewa\. It takes projector, /);
    expect([failed, installs]).to.deep.equal([true, false]);
  });

  it('are refused in one line, before anything is installed, if they are not known', async () => {
    const { stderr, failed, installs } = await started('--role', 'node');
    expect(stderr).to.match(/^Unknown option '--role'\. The options are --roles <names> and .+\n$/);
    expect([failed, installs]).to.deep.equal([true, false]);
    for (const args of [['--roles'], ['--roles', '--without-first-account'], ['node']])
      expect(() => startOptions(args)).to.throw(Error, /^.+\. The options are .+\.$/);
  });
});
