import { fileURLToPath } from 'node:url';
import { needDebianPackages, testPackages } from '../../main/bootstrap/debian-packages.mjs';
import { ensureNpmPackages } from '../../main/bootstrap/npm-packages.mjs';
import { bundled } from '../../main/bootstrap/programs.mjs';

/**
 * `npm test [folder or word …]`: makes a bare clone testable, then runs everything, or the tests that match the words.
 */
const root = fileURLToPath(new URL('../../..', import.meta.url));

try {
  const packages = ensureNpmPackages(root);
  needDebianPackages(testPackages, 'The tests run real servers and a real browser.');
  await packages;
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}
const words = process.argv.slice(2);
// Done once for all test processes: each of them would compare every source with the bundle. Not done for selected
// tests, which perhaps start no program.
if (words.length === 0) await bundled();
const { register } = await import('tsx/esm/api');
register();
const { run } = await import('./run.ts');
process.exitCode = await run(root, words);
