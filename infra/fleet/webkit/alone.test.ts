import { expect } from 'chai';
import type { Browser, Driver } from '../node/driver.ts';
import { failure, launch, run, startDriver } from './testing/browser.ts';
import { servePages, type Pages } from './testing/pages.ts';
import { handsOf } from './testing/suite.ts';

const viewport = '<!doctype html><meta name="viewport" content="width=device-width">';

/** Checks every 20 ms that the page has the focus, and validates its first field on blur. */
const form = `${viewport}<input id="name"><input id="mail"><pre id="events"></pre><pre id="focus"></pre><script>
  const [name_, mail, events, focus] = ['name', 'mail', 'events', 'focus'].map((id) => document.getElementById(id));
  const log = (word) => events.append(word + ' ');
  name_.onfocus = () => log('entered');
  name_.onblur = () => log(name_.value ? 'valid' : 'missing');
  addEventListener('blur', () => log('left'));
  let lost = 0;
  setInterval(() => {
    lost += document.hasFocus() ? 0 : 1;
    focus.textContent = [document.querySelector(':focus')?.id, lost].join();
  }, 20);
</script>`;

/** Reports in milliseconds how long a 100 ms timer and 30 animation frames took. */
const clock = `${viewport}<pre id="timer"></pre><pre id="frames"></pre><script>
  const tell = (id, from) => { document.getElementById(id).textContent = performance.now() - from + ' ms'; };
  const start = performance.now();
  setTimeout(tell, 100, 'timer', start);
  let frames = 0;
  requestAnimationFrame(function next() {
    if ((frames += 1) === 30) tell('frames', start);
    else requestAnimationFrame(next);
  });
</script>`;
const loop = `${viewport}<button id="loop" onclick="for (;;);">Loop</button>`;

/** Sessions that work beside the looping one. `boundMs` allows for machines with fewer cores than sessions. */
const atWork = 7;
const limits = { timer: 3_000, frames: 10_000, load: 10_000 };

describe('eight concurrent sessions', () => {
  let pages: Pages;
  let driver: Driver;
  let looping: Browser;
  let others: readonly Browser[];
  before(async () => {
    pages = await servePages({ '/form': form, '/clock': clock, '/loop': loop });
    driver = await startDriver();
    [looping, ...others] = await launchAll(driver, 1 + atWork);
    await run(looping, 'navigate', { url: `${pages.url}loop` });
    const tap = run(looping, 'interact', { action: { kind: 'tap', selector: '#loop' } }, 3_000);
    expect(await failure(tap)).to.include({ kind: 'silent' });
  });
  after(async () => {
    await Promise.all([looping, ...others].map((browser) => browser.close()));
    await driver.close();
    await pages.close();
  });

  type Hands = ReturnType<typeof handsOf>;
  /** Results of the sessions beside the looping one, which all run at once. */
  const each = <T>(work: (hands: Hands, index: number, browser: Browser) => Promise<T>): Promise<T[]> =>
    Promise.all(others.map((browser, index) => work(handsOf({ browser, site: pages }), index, browser)));
  const all = <T>(value: T): T[] => Array<T>(atWork).fill(value);

  it('each have the focus all the time, and keep their focused field', async () => {
    const focused = await each(async ({ go, act, read }, _index, browser) => {
      await go('form');
      await act({ kind: 'tap', selector: '#mail' });
      await act({ kind: 'tap', selector: '#name' });
      // Longer than the page's 20 ms interval.
      await run(browser, 'wait', { condition: { kind: 'text', selector: '#focus', text: 'name' } });
      return [await read('#focus'), await read('#events')];
    });
    expect(focused).to.deep.equal(all(['name,0', 'entered']));
  });

  it('type into their own fields', async () => {
    const typed = await each(async ({ go, act }, index, browser) => {
      await go('form');
      await act({ kind: 'type', selector: '#name', text: `I am number ${index}` });
      const text = { kind: 'text', selector: '#name', text: `I am number ${index}` } as const;
      return (await run(browser, 'wait', { condition: text })).matched;
    });
    expect(typed).to.deep.equal(all(true));
  });

  it('validate a field once, when it loses the focus, and not when another session acts', async () => {
    const validated = await each(async ({ go, act, read }) => {
      await go('form');
      await act({ kind: 'tap', selector: '#name' });
      await act({ kind: 'tap', selector: '#mail' });
      return read('#events');
    });
    expect(validated).to.deep.equal(all('entered missing'));
  });

  it('load pages, run timers and draw frames on time beside one whose script never ends', async () => {
    const measured = await each(async ({ read }, _index, browser) => {
      const { duration_ms: load } = await run(browser, 'navigate', { url: `${pages.url}clock` });
      const drawn = { kind: 'text', selector: '#frames', text: 'ms' } as const;
      await run(browser, 'wait', { condition: drawn }, limits.frames);
      const took = async (selector: string) => Number.parseInt(await read(selector));
      return { load, timer: await took('#timer'), frames: await took('#frames') };
    });
    for (const { load, timer, frames } of measured) {
      expect(load).to.be.below(limits.load);
      expect(timer).to.be.within(99, limits.timer);
      expect(frames).to.be.below(limits.frames);
    }
  });
});

async function launchAll(driver: Driver, count: number): Promise<[Browser, ...Browser[]]> {
  const first = launch(driver);
  const rest = Array.from({ length: count - 1 }, () => launch(driver));
  return [await first, ...(await Promise.all(rest))];
}
