import { readFileSync, readdirSync } from 'node:fs';
import { expect } from 'chai';
import pino from 'pino';
import { tempDir } from '../../verification/testbed/index.ts';
import { processesOf } from './processes.ts';
import { launch, run, startDriver } from './testing/browser.ts';
import { servePages } from './testing/pages.ts';

const pages = {
  '/': '<title>Quiet</title>',
  // Random bytes, so that nothing of them is shared or compressed away; in pieces, so that the page goes on living meanwhile.
  '/memory': `<title>Eats</title><script>
    const kept = [];
    setInterval(() => {
      const piece = new Uint8Array(16 * 1024 * 1024);
      for (let at = 0; at < piece.length; at += 65536) crypto.getRandomValues(piece.subarray(at, at + 65536));
      kept.push(piece);
    }, 20);
  </script>`,
  '/workers': `<title>Works</title><script>
    const program = URL.createObjectURL(new Blob(['setInterval(() => {}, 1000)']));
    const kept = [];
    setInterval(() => { for (let n = 0; n < 20; n += 1) kept.push(new Worker(program)); }, 50);
  </script>`,
};

describe('a browser that passes a bound', () => {
  const hostile = [
    ['/memory', 'memoryBytes'],
    ['/workers', 'threads'],
  ] as const;
  for (const [path, bound] of hostile)
    it(`is ended for what ${path} takes, staff see why, and the browser beside it goes on`, async () => {
      const site = await servePages(pages);
      const runtimeDir = tempDir('webkit');
      const said: Record<string, unknown>[] = [];
      const logger = pino(
        { level: 'warn' },
        { write: (line) => void said.push(JSON.parse(line) as Record<string, unknown>) },
      );
      const bounds = { memoryBytes: 500 * 1024 * 1024, threads: 250 };
      const driver = await startDriver({ runtimeDir, logger, bounds });
      const [greedy, other] = [await launch(driver), await launch(driver)];
      await run(other, 'navigate', { url: site.url });
      const left = processesOf(runtimeDir).length;
      const died = new Promise<void>((resolve) => greedy.onDeath(resolve));
      await run(greedy, 'navigate', { url: new URL(path, site.url).href }).catch(() => undefined);
      await died;
      await greedy.close();
      const [ended] = said.filter(({ msg }) => String(msg).startsWith('A browser passed its bound'));
      expect(ended).to.include({ bound, most: bounds[bound] });
      expect(Number(ended?.used)).to.be.above(bounds[bound]);
      expect((await run(other, 'state_capture', null)).title).to.equal('Quiet');
      // Nothing of it is left: no process, and no directory.
      expect(processesOf(runtimeDir).length).to.be.below(left);
      expect(readdirSync(runtimeDir)).to.have.length(1);
      await driver.close();
      await site.close();
    });

  it('is counted with all its processes, its X server among them', async () => {
    const runtimeDir = tempDir('webkit');
    const driver = await startDriver({ runtimeDir });
    await launch(driver);
    const processes = processesOf(runtimeDir);
    const sessionOf = (pid: number) =>
      /\) . \d+ \d+ (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'latin1'))?.[1];
    const names = processes.map((pid) => readFileSync(`/proc/${pid}/comm`, 'latin1').trim());
    expect(names).to.include.members(['Xorg', 'gjs', 'WebKitWebProces']);
    expect(new Set(processes.map(sessionOf)).size).to.equal(1);
    await driver.close();
  });
});
