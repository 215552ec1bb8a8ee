import { fileURLToPath } from 'node:url';
import { browserPackages, ensureDebianPackages, installCommand } from './bootstrap/debian-packages.mjs';
import { ensureNpmPackages } from './bootstrap/npm-packages.mjs';
import { runProgram } from './bootstrap/programs.mjs';
import { startOptions } from './bootstrap/start-options.mjs';

/** `npm start`: makes a bare clone runnable, then hands over to the supervisor in the same process. */
const root = fileURLToPath(new URL('../..', import.meta.url));
const args = process.argv.slice(2);

function ensureBrowser({ roles }) {
  const runsBrowsers = roles === undefined || roles.includes('node');
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
  const options = startOptions(args);
  const packages = ensureNpmPackages(root);
  ensureBrowser(options);
  await packages;
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}
await runProgram('supervisor', args);
