import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Runs `npm ci` if packages are missing or differ from the lockfile; the caller can do other work until it awaits the
 * result. Plain JavaScript, because it runs before any package is installed.
 */
export async function ensureNpmPackages(root) {
  if (upToDate(root)) return;
  process.stderr.write('Installing npm packages (npm ci) …\n');
  const child = spawn('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  });
  const end = () => child.kill();
  process.once('exit', end);
  const [status] = await once(child, 'exit');
  process.off('exit', end);
  if (status !== 0) throw new Error('npm ci failed; see its output above.');
}

/** Compares the lockfile with npm's own record of the packages in node_modules. */
function upToDate(root) {
  const wanted = packagesIn(join(root, 'package-lock.json'));
  const installed = packagesIn(join(root, 'node_modules', '.package-lock.json'));
  return (
    installed !== undefined &&
    Object.entries(wanted ?? {}).every(([path, { version, optional }]) =>
      path === '' ? true : installed[path] ? installed[path].version === version : optional === true,
    )
  );
}

function packagesIn(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages;
  } catch {
    return undefined;
  }
}
