import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { tempDir } from '../../verification/testbed/index.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

describe('what needs Debian packages, where they are missing and cannot be installed', function () {
  this.timeout(120_000);
  /** No program is in the path, so neither `gjs` nor `apt-get` is. */
  const run = async (...args: readonly string[]) => {
    const command = ['--import', 'tsx', ...args];
    const options = { cwd: root, env: { ...process.env, PATH: tempDir('no-programs') } };
    const failed: unknown = await promisify(execFile)(process.execPath, command, options).catch(
      (error: unknown) => error,
    );
    return failed as { readonly code?: number; readonly stderr: string };
  };

  for (const [args, missing] of [
    [['infra/verification/soak/main.ts', 'pages', '--minutes', '0.1'], 'gjs'],
    [['infra/verification/soak/main.ts', 'animation', '--minutes', '0.1'], 'gjs'],
    [['infra/verification/chaos/main.ts', '--minutes', '0.1', '--queue', 'redis'], 'redis-server'],
    [['infra/verification/chaos/main.ts', '--minutes', '0.1', '--browsers', 'webkit'], 'gjs'],
    [['infra/verification/eval/main.ts', '--lane', 'grammar'], 'gjs'],
    [['infra/verification/screens/main.ts'], 'chromium'],
  ] as const)
    it(`says how to install them: ${args.join(' ')}`, async () => {
      const { code, stderr } = await run(...args);
      expect(code).to.equal(1);
      expect(stderr).to.match(
        new RegExp(`Missing: sudo apt-get install --no-install-recommends .*\\b${missing}\\b`),
      );
    });
});
