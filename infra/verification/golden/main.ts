import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { categories } from '../../../contracts/events/index.ts';
import { hashOf, pathOf, Samples, storedHashes } from './sample.ts';

/*
 * For each event type without a golden event in its newest version, writes one, its line in `hashes.json`, and the
 * states and rows that all golden events lead to. Existing files are not touched, even if their schema has changed.
 */
const golden = new URL('../../event-store/golden/', import.meta.url);
const hashes = storedHashes();
const samples = new Samples(hashes);
const missing = Object.values(categories)
  .flatMap((category) => Object.keys(category.types).map((type) => samples.of(category, type)))
  .filter((event) => !(pathOf(event) in hashes));

for (const event of missing) {
  mkdirSync(new URL(`${event.category}/`, golden), { recursive: true });
  writeFileSync(new URL(pathOf(event), golden), `${JSON.stringify(event, null, 2)}\n`);
  console.log(pathOf(event));
}
const all = { ...hashes, ...Object.fromEntries(missing.map((event) => [pathOf(event), hashOf(event)])) };
writeFileSync(new URL('hashes.json', golden), `${JSON.stringify(all, null, 2)}\n`);

const run = (...command: readonly string[]) =>
  spawnSync('npx', command, { stdio: 'inherit', env: { ...process.env, UPDATE_GOLDEN_STATES: '1' } }).status;
run('oxfmt', 'infra/event-store/golden/');
process.exitCode = run('mocha', 'domain/testing/golden-states.test.ts') ?? 1;
