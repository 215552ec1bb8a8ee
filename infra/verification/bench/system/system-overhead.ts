import { percentile, timed } from '../latency.ts';
import { atMost, type CheckSubject, type Finding } from '../subject.ts';
import { startBareBrowser, type BareBrowser } from './system-bare-browser.ts';
import { scaled } from './system-scale.ts';
import { onSystem, type SystemUnderTest } from './system-stack.ts';
import { onSite, warmUp, webKit } from './system-webkit.ts';

const bars = { pass: 15, stretch: 8 };
const rounds = scaled(60, 5);
const dropped = 3;

/** The same operations on one browser through the whole service, and on another one by bare WebDriver, in turns. */
export const webKitOverhead: CheckSubject = {
  kind: 'check',
  id: 'webkit-overhead',
  long: true,
  title: 'what the service adds to WebDriver: navigate, and tap on a page at rest, worst p50',
  bars,
  unit: 'ms',
  check: (bench) =>
    onSite((site) =>
      onSystem(bench, webKit({ waiting: 0 }), (system) => withBare((bare) => compare(system, bare, site))),
    ),
};

async function withBare(work: (bare: BareBrowser) => Promise<Finding>): Promise<Finding> {
  const bare = await startBareBrowser();
  try {
    return await work(bare);
  } finally {
    await bare.close();
  }
}

interface Pair {
  readonly name: string;
  /** Makes the pages idle before each operation. Not timed; its duration is not a multiple of the browser's frame. */
  readonly still?: (round: number) => Promise<unknown>;
  readonly served: () => Promise<unknown>;
  readonly bare: () => Promise<unknown>;
}

async function compare({ client }: SystemUnderTest, bare: BareBrowser, site: string): Promise<Finding> {
  const session = await client.create();
  const ask = (operation: string, body: object) =>
    client.call('POST', `/v1/sessions/${session}/${operation}`, body);
  const pairs: readonly Pair[] = [
    {
      name: 'navigate',
      served: () => ask('navigate', { url: `${site}/shop`, wait_until: 'load' }),
      bare: () => bare.navigate(`${site}/shop`),
    },
    {
      name: 'tap',
      still: (round) => ask('wait', { condition: { kind: 'delay', ms: 150 + ((Math.abs(round) * 7) % 17) } }),
      served: () => ask('interact', { action: { kind: 'tap', selector: '.name' } }),
      bare: () => bare.tap('.name'),
    },
  ];
  let figures: Finding['figures'] = {};
  const overheads: number[] = [];
  await warmUp(ask);
  const took = await inTurns(pairs);
  for (const [name, { served, bare: raw }] of Object.entries(took)) {
    const [ours, theirs] = [percentile(served, 0.5), percentile(raw, 0.5)];
    overheads.push(ours - theirs);
    figures = {
      ...figures,
      [`${name}_overhead_ms`]: ours - theirs,
      [`${name}_served_ms`]: ours,
      [`${name}_bare_ms`]: theirs,
    };
  }
  return atMost(bars, Math.max(...overheads), figures);
}

/** Measures every pair in every round, alternating which side is first. The first rounds warm up and are dropped. */
async function inTurns(pairs: readonly Pair[]): Promise<Record<string, Record<'served' | 'bare', number[]>>> {
  const took = Object.fromEntries(
    pairs.map(({ name }) => [name, { served: [] as number[], bare: [] as number[] }]),
  );
  for (let round = -dropped; round < rounds; round += 1) {
    for (const pair of pairs) {
      await pair.still?.(round);
      const order = round % 2 === 0 ? (['served', 'bare'] as const) : (['bare', 'served'] as const);
      for (const side of order) {
        const milliseconds = await timed(pair[side]);
        if (round >= 0) took[pair.name]?.[side].push(milliseconds);
      }
    }
  }
  return took;
}
