import { servePages } from '../../../fleet/webkit/testing/pages.ts';
import { percentile, timed } from '../latency.ts';
import { atMost, type CheckSubject, type Finding } from '../subject.ts';
import { scaled } from './system-scale.ts';
import { onSystem, type SystemUnderTest } from './system-stack.ts';
import { warmUp, webKit } from './system-webkit.ts';

const rounds = scaled(40, 5);
const dropped = 5;
/** The figure is the largest share that an operation takes of its own limit. */
const bars = { pass: 1, stretch: 0.5 };

const page = (body: string): string =>
  `<!doctype html><meta name="viewport" content="width=device-width">${body}`;
const lines = Array.from({ length: 10_000 }, (_, line) => `<p>Line ${line} of many</p>`);
const pages = {
  '/field': page('<input id="field">'),
  '/lines': page(lines.join('')),
  '/picture': page(
    '<div id="picture" style="width:200px;height:100px;background:linear-gradient(red,blue)">',
  ),
};

interface Act {
  readonly name: string;
  readonly page: keyof typeof pages;
  /** Maximal p50 in milliseconds, on an idle page. */
  readonly bar: number;
  readonly operation: string;
  readonly body: object;
}

const acts: readonly Act[] = [
  {
    name: 'type_20_characters',
    page: '/field',
    bar: 60,
    operation: 'interact',
    body: { action: { kind: 'type', selector: '#field', text: 'twenty characters!!!' } },
  },
  {
    name: 'find_text_among_10000',
    page: '/lines',
    bar: 30,
    operation: 'wait',
    body: { condition: { kind: 'selector', text: 'Line 7777 of many', state: 'attached' } },
  },
  {
    name: 'screenshot_of_element',
    page: '/picture',
    bar: 120,
    operation: 'capture',
    body: { kind: 'screenshot', selector: '#picture' },
  },
];

/** The most frequent operations, over HTTP through the whole service on real WebKit, each against a bar of its own. */
export const webKitActs: CheckSubject = {
  kind: 'check',
  id: 'webkit-acts',
  long: true,
  title: 'p50 of typing, finding by text and capturing an element / its own bar, the dearest',
  bars,
  unit: 'x',
  check: async (bench) => {
    const site = await servePages(pages);
    try {
      return await onSystem(bench, webKit({ waiting: 0 }), (system) => measure(system, site.url));
    } finally {
      await site.close();
    }
  },
};

async function measure({ client }: SystemUnderTest, site: string): Promise<Finding> {
  const session = await client.create();
  const ask = (operation: string, body: object) =>
    client.call('POST', `/v1/sessions/${session}/${operation}`, body);
  await warmUp(ask);
  const figures: Record<string, number> = {};
  const shares: number[] = [];
  for (const { name, page: path, bar, operation, body } of acts) {
    await ask('navigate', { url: new URL(path, site).href });
    const took: number[] = [];
    for (let round = -dropped; round < rounds; round += 1) {
      const milliseconds = await timed(() => ask(operation, body));
      if (round >= 0) took.push(milliseconds);
    }
    const p50 = percentile(took, 0.5);
    figures[`${name}_ms`] = p50;
    shares.push(p50 / bar);
  }
  return atMost(bars, Math.max(...shares), figures);
}
