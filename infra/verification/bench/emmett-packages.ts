import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('./emmett/', import.meta.url));

/**
 * Installs Emmett from npm into a folder of its own on first use. It is no dependency of the project, because its
 * manifests name no licence, and its peer dependencies are of other major versions. `uuid`, `pg` and
 * `@eventstore/db-client` are shared with our side.
 */
export function loadEmmett() {
  if (!existsSync(`${folder}node_modules`)) install();
  return import('./emmett/index.mjs');
}

function install(): void {
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0)
    throw new Error('Emmett could not be installed: this comparison needs the npm registry once.');
}
