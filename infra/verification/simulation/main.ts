import { parseArgs } from 'node:util';
import { explore } from './explore.ts';

/** `npm run simulate -- --seed N --runs M`: explores from a seed, or replays one run of it with `--path`. */
const { values } = parseArgs({
  options: { seed: { type: 'string' }, runs: { type: 'string' }, path: { type: 'string' } },
});
const seed = Number(values.seed ?? Date.now() % 1_000_000_000);
const runs = Number(values.runs ?? 10_000);
const found = await explore({ seed, runs, ...(values.path !== undefined && { path: values.path }) });
process.stdout.write(`${found.report}\n`);
process.exitCode = found.failed ? 1 : 0;
