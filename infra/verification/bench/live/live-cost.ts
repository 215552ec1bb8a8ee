import { setTimeout as wait } from 'node:timers/promises';
import { joinByMedia, type MediaParticipant } from '../../live-view/media-participant.ts';
import { processNaming, usedBy as processUse } from '../../../fleet/webkit/process-use.ts';
import { until } from '../../testbed/index.ts';
import { atMost, type CheckSubject } from '../subject.ts';
import { usedBy } from '../system/system-processes.ts';
import { scaled } from '../system/system-scale.ts';
import { onLiveSystem, runtimeDir, type LiveSystem } from './live-system.ts';

const seconds = scaled(20, 4);
/** Maximal number of concurrent links. */
const crowd = 20;

/** CPU use of the node and its one browser over a while, in percent of a core. */
async function load({ stack }: Pick<LiveSystem, 'stack'>): Promise<number> {
  const cpu = () => usedBy({ node: stack.processes.node ?? 0 }).node?.cpuSeconds ?? 0;
  const [before, at] = [cpu(), performance.now()];
  await wait(seconds * 1_000);
  return ((cpu() - before) / ((performance.now() - at) / 1_000)) * 100;
}

/** The encoder ends five seconds after the last viewer has left. */
const unwatched = async (system: LiveSystem): Promise<number> => {
  await wait(8_000);
  return load(system);
};

const join = async (system: LiveSystem, count: number): Promise<readonly MediaParticipant[]> =>
  Promise.all((await system.links(count)).map(joinByMedia));

/** The account's owner joins. */
const joinAlone = async (system: LiveSystem): Promise<MediaParticipant> => joinByMedia(await system.video());

const leave = (all: readonly MediaParticipant[]) => Promise.all(all.map((each) => each.leave()));

const cpuBars = { pass: 35, stretch: 20 };
export const liveCpu: CheckSubject = {
  ...{ kind: 'check', id: 'live-cpu', long: true, bars: cpuBars, unit: '% of a core' },
  title:
    'what watching a page that moves takes more than not watching it (still: at most 3; twenty viewers: at most 1.5 times one)',
  check: (bench) =>
    onLiveSystem(bench, async (system) => {
      const moving = { unwatched: await unwatched(system), one: 0, crowd: 0 };
      const first = await joinAlone(system);
      await wait(2_000);
      moving.one = await load(system);
      const others = await join(system, crowd - 1);
      await wait(2_000);
      moving.crowd = await load(system);
      await leave([first, ...others]);
      await system.open('still');
      const still = { unwatched: await unwatched(system), one: 0 };
      const last = await joinAlone(system);
      await wait(2_000);
      still.one = await load(system);
      await last.leave();
      const [more, moreStill] = [moving.one - moving.unwatched, still.one - still.unwatched];
      const times = (moving.crowd - moving.unwatched) / more;
      const finding = atMost(cpuBars, more, {
        ...{ still_percent: moreStill, crowd_times: times, moving_unwatched_percent: moving.unwatched },
        ...{ moving_one_percent: moving.one, moving_crowd_percent: moving.crowd },
      });
      return { ...finding, passed: finding.passed && moreStill <= 3 && times <= 1.5 };
    }),
};

/** Anonymous memory of one process. */
const megabytes = (pid: number): number => processUse([pid]).memoryBytes / 2 ** 20;

const memoryBars = { pass: 12, stretch: 6 };
export const liveMemory: CheckSubject = {
  ...{ kind: 'check', id: 'live-memory', long: true, bars: memoryBars, unit: 'MB' },
  title: 'memory of the node for each viewer beside the first (the encoder: at most 40 MB)',
  check: (bench) =>
    onLiveSystem(bench, async (system) => {
      const { node = 0 } = system.stack.processes;
      const first = await joinAlone(system);
      await wait(5_000);
      const [one, encoder] = [megabytes(node), megabytes(processNaming(`"socket":"${runtimeDir}`) ?? 0)];
      const others = await join(system, crowd - 1);
      await until(async () => others.every((each) => each.packets() > 100), { limitMs: 60_000 });
      await wait(5_000);
      const all = megabytes(node);
      await leave([first, ...others]);
      const finding = atMost(memoryBars, (all - one) / (crowd - 1), { encoder_mb: encoder, node_mb: all });
      return { ...finding, passed: finding.passed && encoder <= 40 };
    }),
};
