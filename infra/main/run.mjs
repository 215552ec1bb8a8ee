import { bundled, runProgram } from './bootstrap/programs.mjs';

/**
 * `node infra/main/run.mjs <program> [arguments]`: one program in this process. `bundle` makes what programs are run from and says where
 * it is, for a tree that cannot be written where it runs.
 */
const [name = '', ...args] = process.argv.slice(2);
try {
  if (name === 'bundle') process.stdout.write(`${await bundled()}\n`);
  else await runProgram(name, args);
} catch (error) {
  process.stderr.write(`${error.stack}\n`);
  process.exit(1);
}
