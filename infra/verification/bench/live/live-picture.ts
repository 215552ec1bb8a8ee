import { percentile } from '../latency.ts';
import { atMost, type CheckSubject } from '../subject.ts';
import { scaled } from '../system/system-scale.ts';
import { onLiveSystem } from './live-system.ts';

const joins = scaled(20, 3);
const seconds = scaled(20, 3);

const joinBars = { pass: 500, stretch: 300 };
/** Time from `connect` until the decoder has a frame; the encoder has ended before each. */
export const liveJoin: CheckSubject = {
  ...{ kind: 'check', id: 'live-join', long: true, bars: joinBars, unit: 'ms' },
  title: 'from joining to the first decoded frame, p50',
  check: (bench) =>
    onLiveSystem(bench, async ({ watchers, video }) => {
      const took: number[] = [];
      // The first one also loads the node's code for participants.
      for (let index = 0; index <= joins; index += 1) {
        const watcher = await watchers.open();
        took.push(await watcher.join(await video()));
        await watcher.leave();
        await watchers.closePages();
        // The encoder ends after five.
        await new Promise((resolve) => setTimeout(resolve, 6_000));
      }
      const [first = 0, ...others] = took;
      return atMost(joinBars, percentile(others, 0.5), {
        ...{ first_ms: first, p90_ms: percentile(others, 0.9), joins },
      });
    }),
};

const latencyBars = { pass: 120, stretch: 70 };
/** The page shows the machine's time, which is read back from each presented frame. */
export const liveLatency: CheckSubject = {
  ...{ kind: 'check', id: 'live-latency', long: true, bars: latencyBars, unit: 'ms' },
  title: 'from a change of the page to the decoded frame, p50',
  check: (bench) =>
    onLiveSystem(bench, async ({ watchers, video }) => {
      const watcher = await watchers.open();
      await watcher.join(await video());
      await watcher.ages(2);
      const ages = await watcher.ages(seconds);
      return atMost(latencyBars, percentile(ages, 0.5), {
        ...{ p99_ms: percentile(ages, 0.99), frames_per_second: ages.length / seconds },
      });
    }),
};

const touchBars = { pass: 15, stretch: 8 };
const touches = scaled(200, 20);
/** Latency of touches over the data channel, on an animated page. Both ends use the machine's clock, in whole milliseconds. */
export const liveTouch: CheckSubject = {
  ...{ kind: 'check', id: 'live-touch', long: true, bars: touchBars, unit: 'ms' },
  title: 'from sending a touch to the page’s handler, p50 (p99 at most 40)',
  check: (bench) =>
    onLiveSystem(bench, async ({ watchers, video, touched }) => {
      const watcher = await watchers.open();
      await watcher.join(await video());
      const sent = await watcher.touches(touches);
      const took = sent.flatMap((at, index) => {
        const seen = touched[index];
        return seen === undefined ? [] : [seen - at];
      });
      if (took.length < sent.length)
        throw new Error(`The page had ${took.length} of ${sent.length} touches.`);
      const p99 = percentile(took, 0.99);
      const finding = atMost(touchBars, percentile(took, 0.5), { p99_ms: p99, touches });
      return { ...finding, passed: finding.passed && p99 <= 40 };
    }),
};
