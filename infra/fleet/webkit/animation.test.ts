import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Browser } from '../node/driver.ts';
import { afterTest, tempDir, until } from '../../verification/testbed/index.ts';
import { processesOf } from './processes.ts';
import { launch, run, startDriver } from './testing/browser.ts';
import { servePages } from './testing/pages.ts';

/** Redraws the whole screen in every frame, and counts the frames in its title. */
const animation = `<!doctype html><meta name="viewport" content="width=device-width"><title>0</title><p id="count"></p>
<canvas id="canvas" width="390" height="700"></canvas><script>
  let painted = 0;
  const context = canvas.getContext('2d');
  const draw = () => {
    painted += 1;
    context.fillStyle = 'hsl(' + (painted % 360) + ' 80% 50%)';
    context.fillRect(0, 0, 390, 700);
    count.textContent = document.title = painted;
    requestAnimationFrame(draw);
  };
  requestAnimationFrame(draw);
</script>`;

describe('a page that draws in every frame', () => {
  it('leaks no memory of its frames in the X server', async () => {
    const site = await servePages({ '/': animation });
    afterTest(() => site.close());
    const runtimeDir = tempDir('webkit');
    const driver = await startDriver({ runtimeDir });
    const browser = await launch(driver);
    // Also after a failure: it would paint for as long as the process of the tests runs.
    afterTest(async () => {
      await browser.close();
      await driver.close();
    });
    await run(browser, 'navigate', { url: site.url });
    const server = processesOf(runtimeDir).find((pid) => nameOf(pid) === 'Xorg') ?? 0;
    const drawn = (frames: number) =>
      until(async () => (await framesOf(browser)) >= frames, { limitMs: 60_000 });
    await drawn(20);
    // A frame has 12 MB, and two may exist for a moment.
    const before = await least(() => residentMb(server));
    await drawn((await framesOf(browser)) + 100);
    expect(await least(() => residentMb(server))).to.be.below(before + 10);
  });
});

const framesOf = async (browser: Browser): Promise<number> =>
  Number((await run(browser, 'state_capture', null)).title);

const nameOf = (pid: number): string => readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
const residentMb = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

/** The minimum of several samples, because a sample can fall within a frame. */
async function least(look: () => number): Promise<number> {
  const looks: number[] = [];
  await until(() => looks.push(look()) >= 20);
  return Math.min(...looks);
}
