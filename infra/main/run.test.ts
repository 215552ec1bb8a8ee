import { execFile } from 'node:child_process';
import { statSync, utimesSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { tempDir } from '../verification/testbed/index.ts';

const run = fileURLToPath(new URL('./run.mjs', import.meta.url));
const start = (args: readonly string[]) => promisify(execFile)(process.execPath, [run, ...args]);
const refusal = (args: readonly string[]) =>
  start(args).then(
    () => '',
    (error: unknown) => (error as { readonly stderr: string }).stderr,
  );

describe('the programs', () => {
  it('can start concurrently from sources that are not bundled yet', async () => {
    const [first, second] = await Promise.all([start(['command', '--help']), start(['command', '--help'])]);
    expect(first.stdout).to.include('Usage: service');
    expect(second.stdout).to.equal(first.stdout);
  });

  it('mark their bundles as used, which are removed a week later', async () => {
    const bundles = (await start(['bundle'])).stdout.trim();
    // The first run stores the code that V8 compiled beside them.
    await start(['command', '--help']);
    const longAgo = new Date(Date.now() - 30 * 24 * 3_600_000);
    utimesSync(bundles, longAgo, longAgo);
    await start(['command', '--help']);
    expect(statSync(bundles).mtimeMs).to.be.above(Date.now() - 3_600_000);
  });

  it('are distinguished by name', async () => {
    expect(await refusal(['nonsense'])).to.include('"nonsense" is not a program');
  });

  it('get their arguments', async () => {
    expect(await refusal(['role', 'nonsense'])).to.include('"nonsense" is not a role');
  });

  it('run from a checkout that cannot be written and has no bundles', async () => {
    const cache = fileURLToPath(new URL('../../node_modules/.cache', import.meta.url));
    const writable = tempDir('writable');
    const readOnly = ['--ro-bind', '/', '/', '--ro-bind', tempDir('no-bundles'), cache];
    const places = ['--dev', '/dev', '--proc', '/proc', '--bind', writable, writable];
    const program = [process.execPath, run, 'command', '--help'];
    const env = { ...process.env, TMPDIR: writable };
    const { stdout } = await promisify(execFile)('bwrap', [...readOnly, ...places, '--', ...program], {
      env,
    });
    expect(stdout).to.include('Usage: service');
  });
});
