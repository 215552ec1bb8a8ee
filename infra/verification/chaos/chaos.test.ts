import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { keepIfFailed, report } from './report.ts';
import { run } from './run.ts';

/** Short runs with seeds that are known to cover much; `npm run chaos` runs for longer, with other seeds. */
const runs = [
  { queue: 'postgres', seed: 1, browsers: 'simulated', runMs: 25_000, faults: 6, requests: 101 },
  { queue: 'redis', seed: 2, browsers: 'simulated', runMs: 25_000, faults: 6, requests: 101 },
  { queue: 'postgres', seed: 3, browsers: 'webkit', runMs: 6_000, faults: 1, requests: 20 },
] as const;

describe('the whole service under random work and random faults', function () {
  this.timeout(300_000);
  for (const { faults, requests, ...chosen } of runs) {
    it(`keeps every invariant, with its queue on ${chosen.queue} and ${chosen.browsers} browsers`, async () => {
      const dataDir = mkdtempSync(join(tmpdir(), 'service-chaos-'));
      const options = { ...chosen, dataDir, say: () => undefined };
      const verdict = await run(options);
      keepIfFailed(dataDir, verdict);
      expect(verdict.violations, report(options, verdict).join('\n')).to.deep.equal([]);
      expect(verdict.evidence.faults.length).to.be.at.least(faults);
      expect(verdict.evidence.history.length).to.be.at.least(requests);
    });
  }
});
