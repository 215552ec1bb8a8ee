import { ask, launch, run, startDriver } from '../../../fleet/webkit/testing/browser.ts';
import { servePages } from '../../../fleet/webkit/testing/pages.ts';
import { percentile, timed } from '../latency.ts';
import { atMost, type CheckSubject } from '../subject.ts';
import { scaled } from '../system/system-scale.ts';

const bars = { pass: 40, stretch: 20 };
const elements = 300;
const samples = scaled(60, 5);
const dropped = 10;

const controls: readonly ((index: number) => string)[] = [
  (index) => `<a href="/item/${index}">Item ${index}</a>`,
  (index) => `<button>Put ${index} in the cart</button>`,
  (index) => `<label>Note ${index} <input name="note-${index}" value="as it is"></label>`,
  (index) => `<label><input type="checkbox" name="gift-${index}"> Gift ${index}</label>`,
  (index) => `<label>Size ${index} <select name="size-${index}"><option>Small<option>Large</select></label>`,
];
const rows = Array.from(
  { length: elements },
  (_, index) => `<p>${controls[index % controls.length]?.(index)} and some words about it.</p>`,
);
const page = `<!doctype html><meta name="viewport" content="width=device-width"><h1>Three hundred</h1><form>${rows.join('')}</form>`;

/** An agent's observation of a page, requested directly from a real browser, without the service. */
export const agentObservation: CheckSubject = {
  kind: 'check',
  id: 'agents-observation',
  long: true,
  title: `an observation of a page with ${elements} elements on real WebKit, p50`,
  bars,
  unit: 'ms',
  check: async () => {
    const site = await servePages({ '/': page });
    const driver = await startDriver();
    try {
      const browser = await launch(driver);
      await run(browser, 'navigate', { url: site.url });
      const took: number[] = [];
      let seen = 0;
      for (let sample = -dropped; sample < samples; sample += 1) {
        const milliseconds = await timed(async () => {
          seen = (await ask(browser, 'observe', null)).elements.length;
        });
        if (sample >= 0) took.push(milliseconds);
      }
      const found = atMost(bars, percentile(took, 0.5), { p99_ms: percentile(took, 0.99), elements: seen });
      return { ...found, passed: found.passed && seen === elements };
    } finally {
      await driver.close();
      await site.close();
    }
  },
};
