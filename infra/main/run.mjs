import { runProgram } from './bootstrap/programs.mjs';

/** `node infra/main/run.mjs <program> [arguments]`: one program in this process. */
const [name = '', ...args] = process.argv.slice(2);
try {
  await runProgram(name, args);
} catch (error) {
  process.stderr.write(`${error.stack}\n`);
  process.exit(1);
}
