import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { build } from 'esbuild';
import { tempDir } from '../../verification/testbed/index.ts';

const maker = fileURLToPath(new URL('./tree.mjs', import.meta.url));

describe('the files of an image', function () {
  this.timeout(120_000);
  for (const [target, args, said] of [
    ['service', ['command', '--help'], 'account'],
    ['node', ['role', 'node'], 'NODE_JOIN_TOKEN'],
  ] as const)
    it(`start the programs of ${target} outside the checkout`, () => {
      const directory = join(tempDir('tree'), target);
      const made = spawnSync(process.execPath, [maker, target, directory], { encoding: 'utf8' });
      expect([made.status, made.stderr]).to.deep.equal([0, '']);
      const { PATH } = process.env;
      const { stdout, stderr } = spawnSync(process.execPath, ['infra/main/run.mjs', ...args], {
        ...{ cwd: directory, encoding: 'utf8' },
        env: { PATH, SERVICE_BUNDLE: join(directory, 'bundle'), DATA_DIR: join(directory, 'data') },
      });
      expect(stdout + stderr).to.include(said);
    });

  it('have all that the scripts for pages are made of', async () => {
    const directory = join(tempDir('tree'), 'pages');
    spawnSync(process.execPath, [maker, 'node', directory]);
    const scripts = join(directory, 'infra/fleet/webkit/page-scripts/service.ts');
    const { errors } = await build({
      entryPoints: [scripts],
      bundle: true,
      write: false,
      logLevel: 'silent',
    });
    expect(errors).to.deep.equal([]);
  });
});
