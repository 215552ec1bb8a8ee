import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { growths } from './findings.ts';
import { soakCommand } from './options.ts';
import { asJson, describeSoak, verdictOf } from './report.ts';
import { soak } from './run.ts';

/** `npm run soak -- --minutes 20 --rate half` */
await soakCommand(async (options) => {
  const directory = await mkdtemp(join(tmpdir(), 'soak-'));
  try {
    const soaked = await soak(options, directory);
    const grown = growths(soaked);
    const text = options.json ? JSON.stringify(asJson(soaked, grown)) : describeSoak(soaked, grown);
    process.stdout.write(`${text}\n`);
    if (verdictOf(soaked, grown) === 'fail') process.exitCode = 1;
  } finally {
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  }
}).parseAsync();
