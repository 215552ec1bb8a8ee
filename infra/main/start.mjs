import { fileURLToPath } from 'node:url';
import { browserPackages, ensureDebianPackages, installCommand } from './bootstrap/debian-packages.mjs';
import { ensureNpmPackages } from './bootstrap/npm-packages.mjs';
import { runProgram } from './bootstrap/programs.mjs';

/** `npm start`: makes a bare clone runnable, then hands over to the supervisor in the same process. */
const root = fileURLToPath(new URL('../..', import.meta.url));
const rolesAt = process.argv.indexOf('--roles');
const runsBrowsers = rolesAt < 0 || (process.argv[rolesAt + 1] ?? '').split(',').includes('node');

function ensureBrowser() {
  if (!runsBrowsers || process.env.DRIVER === 'simulated') return;
  const missing = ensureDebianPackages(browserPackages);
  if (missing.length === 0) return;
  throw new Error(
    `Real WebKit sessions need these Debian packages, which are missing: ${missing.join(' ')}\n` +
      `  Install them:                  ${installCommand(missing)}\n` +
      `  Or run scripted pages instead: DRIVER=simulated npm start`,
  );
}

try {
  const packages = ensureNpmPackages(root);
  ensureBrowser();
  await packages;
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}
await runProgram('supervisor', process.argv.slice(2));
