import { bundled, runProgram } from './bootstrap/programs.mjs';

/**
 * `node infra/main/run.mjs <program> [arguments]` runs one program in this process. `bundle` instead builds the
 * bundles from which programs run and prints their directory: for a tree that is read-only where it runs.
 */
const [name = '', ...args] = process.argv.slice(2);
try {
  if (name === 'bundle') process.stdout.write(`${await bundled()}\n`);
  else await runProgram(name, args);
} catch (error) {
  process.stderr.write(`${error.stack}\n`);
  process.exit(1);
}
