import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { processesOf } from '../../fleet/webkit/processes.ts';
import { onSystem } from '../bench/system/system-stack.ts';
import { webKit } from '../bench/system/system-webkit.ts';
import { startHostileSite } from '../hostile-pages/site.ts';
import { afterWarmUp, growth, type Growth } from './findings.ts';
import { figure, tableOf } from './report.ts';

/** Use of one browser: all of its processes except the X server. */
interface Sample {
  readonly at: number;
  readonly displayMb: number;
  readonly browserMb: number;
}

export interface AnimationResult {
  readonly seconds: number;
  /** Frames that the page has drawn. */
  readonly frames: number;
  readonly samples: readonly Sample[];
}

const everyMs = 5_000;
/** Readings per sample, which is their minimum: a frame in flight takes 12 MB for a moment. */
const looks = 10;
/** MB that each may grow after its warm-up. */
const allowed = { plus: 10, share: 0 };

/** One browser on a page that redraws in every frame. */
export async function animate(minutes: number, directory: string): Promise<AnimationResult> {
  const runtimeDir = join(directory, 'browsers');
  const site = await startHostileSite();
  const env = { ...webKit({ waiting: 0 }), WEBKIT_RUNTIME_DIR: runtimeDir };
  try {
    return await onSystem({ directory }, env, async ({ client }) => {
      const session = await client.create();
      const on = `/v1/sessions/${session}`;
      await client.call('POST', `${on}/navigate`, { url: site.urlOf({ name: 'animation' }) });
      const samples: Sample[] = [];
      const startedAt = performance.now();
      const seconds = () => (performance.now() - startedAt) / 1000;
      while (seconds() < minutes * 60) {
        await delay(everyMs);
        samples.push({ at: seconds(), ...(await leastOf(runtimeDir)) });
      }
      const schema = { type: 'string', 'x-selector': '#count' };
      const { text } = await client.call('POST', `${on}/extract`, { schema });
      const { data } = JSON.parse(text) as { readonly data: string };
      return { seconds: seconds(), frames: Number(data), samples };
    });
  } finally {
    await site.close();
  }
}

async function leastOf(runtimeDir: string): Promise<Omit<Sample, 'at'>> {
  const seen: Omit<Sample, 'at'>[] = [];
  while (seen.length < looks) {
    await delay(20);
    const all = processesOf(runtimeDir).map((pid) => statusOf(pid));
    const sum = (isDisplay: boolean) =>
      all.reduce((total, { name, mb }) => total + ((name === 'Xorg') === isDisplay ? mb : 0), 0);
    seen.push({ displayMb: sum(true), browserMb: sum(false) });
  }
  const least = (of: keyof Omit<Sample, 'at'>) => Math.min(...seen.map((each) => each[of]));
  return { displayMb: least('displayMb'), browserMb: least('browserMb') };
}

/** Name and private or shared memory of the process, without files. */
function statusOf(pid: number): { readonly name: string; readonly mb: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const said = (field: string) => new RegExp(`^${field}:\\s+(\\S+)`, 'm').exec(status)?.[1] ?? '';
  return { name: said('Name'), mb: (Number(said('RssAnon')) + Number(said('RssShmem'))) / 1024 };
}

export function animationGrowths({ samples }: AnimationResult): readonly Growth[] {
  const steady = afterWarmUp(samples);
  return [
    growth(steady, { what: 'memory of the X server', unit: 'MB' }, ({ displayMb }) => displayMb, allowed),
    growth(steady, { what: 'memory of the browser', unit: 'MB' }, ({ browserMb }) => browserMb, allowed),
  ];
}

export const describeAnimation = ({ seconds, frames }: AnimationResult, grown: readonly Growth[]): string =>
  [
    `${figure(seconds / 60)} minutes of a page that draws in every frame: ${frames} frames, ${figure(frames / seconds)} a second`,
    '',
    ...tableOf(grown),
    '',
    grown.every(({ passed }) => passed) ? 'PASS' : 'FAIL',
  ].join('\n');
