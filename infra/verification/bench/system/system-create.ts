import { until } from '../../testbed/index.ts';
import { percentile, timed } from '../latency.ts';
import { atMost, type Bench, type CheckSubject } from '../subject.ts';
import { scaled } from './system-scale.ts';
import { usedBy } from './system-processes.ts';
import { onSystem, type SystemUnderTest } from './system-stack.ts';
import { webKit } from './system-webkit.ts';

const controlBars = { pass: 10, stretch: 5 };
const controlP99 = 25;
const webKitBars = { pass: 50, stretch: 20 };
const coldP50 = 1_500;
/** Warm-up: code that V8 has not compiled yet takes twice as long. */
const warmUp = scaled(600, 50);

/** Consecutive creates through the gateway, without a real browser; each session is ended again. */
export const createWithoutBrowser: CheckSubject = {
  kind: 'check',
  id: 'create-control-plane',
  title: `create of a session without its browser, p50 (p99 at most ${controlP99} ms)`,
  bars: controlBars,
  unit: 'ms',
  check: async (bench) => {
    const took = await simulatedCreates(bench);
    const [p50, p99] = [percentile(took, 0.5), percentile(took, 0.99)];
    const found = atMost(controlBars, p50, { p50_ms: p50, p99_ms: p99, creates: took.length });
    return { ...found, passed: found.passed && p99 <= controlP99 };
  },
};

/** The same on real browsers, claimed from the pool or started. The service's own time is subtracted. */
export const createOnWebKit: CheckSubject = {
  kind: 'check',
  id: 'webkit-create',
  long: true,
  title: `create on WebKit from the warm pool over the control plane's share, p50 (cold at most ${coldP50} ms)`,
  bars: webKitBars,
  unit: 'ms',
  check: async (bench) => {
    const control = percentile(await simulatedCreates(bench), 0.5);
    const warm = await webKitCreates(bench, 1, scaled(20, 3));
    const cold = await webKitCreates(bench, 0, scaled(15, 3));
    const found = atMost(webKitBars, percentile(warm, 0.5) - control, {
      control_plane_p50_ms: control,
      warm_p50_ms: percentile(warm, 0.5),
      warm_max_ms: percentile(warm, 1),
      cold_p50_ms: percentile(cold, 0.5),
      cold_max_ms: percentile(cold, 1),
    });
    return { ...found, passed: found.passed && percentile(cold, 0.5) <= coldP50 };
  },
};

const simulatedCreates = ({ directory }: Bench): Promise<number[]> =>
  onSystem({ directory: `${directory}/simulated` }, {}, async (system) => {
    await createAndEnd(system, warmUp, async () => undefined);
    return createAndEnd(system, scaled(400, 50), async () => undefined);
  });

const webKitCreates = ({ directory }: Bench, waiting: number, count: number): Promise<number[]> =>
  onSystem({ directory: `${directory}/waiting-${waiting}` }, webKit({ waiting }), async (system) => {
    const { node } = system.stack.processes;
    if (node === undefined) throw new Error('The stack has no node.');
    await createAndEnd(system, 1, () => atRest(node));
    return createAndEnd(system, count, () => atRest(node));
  });

/** The milliseconds of each create; `settled` is awaited before the next one. */
async function createAndEnd(
  { client }: SystemUnderTest,
  count: number,
  settled: () => Promise<unknown>,
): Promise<number[]> {
  const took: number[] = [];
  for (let index = 0; index < count; index += 1) {
    let session = '';
    took.push(
      await timed(async () => {
        session = await client.create();
      }),
    );
    await client.end(session);
    await settled();
  }
  return took;
}

const processesOf = (node: number): number => usedBy({ node }).node?.processes ?? 0;

/** Waits until the ended browser is gone and the pool is refilled: until no process has started or exited for a second. */
async function atRest(node: number): Promise<void> {
  let [processes, since] = [-1, 0];
  const isAtRest = (): boolean => {
    const now = processesOf(node);
    if (now !== processes) [processes, since] = [now, performance.now()];
    return performance.now() - since > 1_000;
  };
  await until(isAtRest, { limitMs: 30_000, everyMs: 100 });
}
