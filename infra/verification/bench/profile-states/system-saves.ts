import { setTimeout as delay } from 'node:timers/promises';
import { percentile, timed } from '../latency.ts';
import { atMost, type CheckSubject } from '../subject.ts';
import { scaled } from '../system/system-scale.ts';
import { onProfiles, type Profiles } from './on-profiles.ts';
import { peaksDuring } from './resident.ts';

const mebibyte = 1024 * 1024;
const [usual, large] = [20, 250];
const times = scaled(11, 3);

const saveBars = { pass: 1_500, stretch: 750 };
const largeSaveMs = 8_000;

/** From the DELETE until the profile shows its new state. */
export const profileSave: CheckSubject = {
  kind: 'check',
  id: 'profile-save',
  long: true,
  title: `save of a profile of ${usual} MiB on WebKit from destroy to recorded, p50 (of ${large} MiB at most ${largeSaveMs / 1000} s)`,
  bars: saveBars,
  unit: 'ms',
  check: (bench) =>
    onProfiles(bench, async (profiles) => {
      const [small, big] = [await savesOf(profiles, usual, times), await savesOf(profiles, large, 3)];
      const [ofUsual, ofLarge] = [percentile(small.took, 0.5), percentile(big.took, 0.5)];
      const found = atMost(saveBars, ofUsual, {
        p50_ms: ofUsual,
        worst_ms: percentile(small.took, 1),
        sealed_mb: small.sealedMb,
        large_p50_ms: ofLarge,
        large_worst_ms: percentile(big.took, 1),
        large_sealed_mb: big.sealedMb,
      });
      return { ...found, passed: found.passed && ofLarge <= largeSaveMs };
    }),
};

async function savesOf(profiles: Profiles, mebibytes: number, count: number) {
  const profile = await profiles.filled(mebibytes);
  const took: number[] = [];
  for (let save = 0; save < count; save += 1)
    took.push(await profiles.save(profile, await profiles.launch(profile)));
  return { took, sealedMb: (await profiles.sealedBytes(profile)) / mebibyte };
}

const launchBars = { pass: 1_500, stretch: 500 };

/** In turns, so that drift of the machine affects both. */
export const profileLaunch: CheckSubject = {
  kind: 'check',
  id: 'profile-launch',
  long: true,
  title: `launch of a profile of ${usual} MiB on WebKit over a cold create, p50`,
  bars: launchBars,
  unit: 'ms',
  check: (bench) =>
    onProfiles(bench, async (profiles) => {
      const { client } = profiles.system;
      const profile = await profiles.filled(usual);
      const [cold, launched]: [number[], number[]] = [[], []];
      let session = '';
      for (let turn = 0; turn < times; turn += 1) {
        cold.push(await timed(async () => void (session = await client.create())));
        await client.end(session);
        launched.push(await timed(async () => void (session = await profiles.launch(profile))));
        await profiles.save(profile, session);
      }
      const [ofCold, ofLaunch] = [percentile(cold, 0.5), percentile(launched, 0.5)];
      return atMost(launchBars, ofLaunch - ofCold, {
        launch_p50_ms: ofLaunch,
        launch_worst_ms: percentile(launched, 1),
        cold_p50_ms: ofCold,
        cold_worst_ms: percentile(cold, 1),
      });
    }),
};

const memoryBars = { pass: 32, stretch: 16 };
/** Garbage of the previous save is collected by then. */
const settleMs = 3_000;
const watched = ['write-api', 'node'] as const;

/** Memory of the processes that the state passes through, without that of its browser. */
export const profileSaveMemory: CheckSubject = {
  kind: 'check',
  id: 'profile-save-memory',
  long: true,
  title: `resident memory that a save and a launch of ${large} MiB add to a process, at their peak, after those of ${usual}`,
  bars: memoryBars,
  unit: 'MB',
  check: (bench) =>
    onProfiles(bench, async (profiles) => {
      const [small, big] = [await profiles.filled(usual), await profiles.filled(large)];
      const cycle = async (profile: string) => {
        const session = await profiles.launch(profile);
        await profiles.save(profile, session);
        await delay(settleMs);
      };
      const pids = watched.map((name) => pidOf(profiles, name));
      for (let warmUp = 0; warmUp < 3; warmUp += 1) await cycle(small);
      const ofSmall = await peaksDuring(pids, () => cycle(small));
      const ofLarge = await peaksDuring(pids, () => cycle(big));
      const grown = ofLarge.map((peak, at) => peak - (ofSmall[at] ?? 0));
      const figures = watched.flatMap((name, at) => [
        [`${name}_usual_mb`, ofSmall[at] ?? 0],
        [`${name}_large_mb`, ofLarge[at] ?? 0],
      ]);
      return atMost(memoryBars, Math.max(...grown), Object.fromEntries(figures) as Record<string, number>);
    }),
};

function pidOf({ system }: Profiles, name: string): number {
  const pid = system.stack.processes[name];
  if (pid === undefined) throw new Error(`The stack has no ${name}.`);
  return pid;
}
