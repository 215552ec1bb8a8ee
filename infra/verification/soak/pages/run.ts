import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { systemClient, type SystemClient } from '../../bench/system/system-client.ts';
import { onSystem, type SystemUnderTest } from '../../bench/system/system-stack.ts';
import { webKit } from '../../bench/system/system-webkit.ts';
import { startHostileSite, type HostileSite } from '../../hostile-pages/site.ts';
import { until } from '../../testbed/index.ts';
import { greater, watchUsage, type ResourceUsage, type UsageWatch } from './usage.ts';
import { workUntil, type WorkloadResult } from './others.ts';
import { visitUntil, type Visits } from './visitors.ts';

export interface PagesOptions {
  readonly minutes: number;
  readonly sideBySide: number;
  /** Settings of the service, beyond its defaults: bounds of browsers and of the node. */
  readonly set: Readonly<Record<string, string>>;
}

export interface PagesResult {
  readonly minutes: number;
  readonly sideBySide: number;
  /** Average number of concurrent ones. */
  readonly openOnAverage: number;
  readonly visits: Visits;
  /** Results of the other accounts: before, beside and after the hostile pages. */
  readonly alone: WorkloadResult;
  readonly beside: WorkloadResult;
  readonly afterwards: WorkloadResult;
  /** Usage before anything was asked; after a warm-up with all pages; and at most and at last. */
  readonly fresh: ResourceUsage;
  readonly before: ResourceUsage;
  readonly most: ResourceUsage;
  readonly after: ResourceUsage;
  /** Processes of the service that exited and were restarted. */
  readonly restarts: readonly string[];
}

const visitors = 5;
const others = 3;
/** Share of the minutes, before and after the visits, in which only the other accounts work. */
const aloneShare = 1 / 5;
const longestAlone = 5;
const lookMs = 10_000;
const settleLimitMs = 60_000;

/**
 * In production, callers and sites are on other machines: here they get a higher priority, so that the measuring process does not
 * wait for the processors behind the measured ones. Linux only allows this to root (sched(7), autogroup).
 */
function goFirst(): void {
  try {
    writeFileSync('/proc/self/autogroup', '-20');
  } catch (error) {
    process.stderr.write(`The times include waiting for processors: ${String(error)}\n`);
  }
}

/** Visits hostile and ordinary pages side by side from some accounts, and measures the effect on others. */
export async function visitPages(options: PagesOptions, directory: string): Promise<PagesResult> {
  const runtimeDir = join(directory, 'browsers');
  const env = { ...webKit({ waiting: 1 }), ...options.set, WEBKIT_RUNTIME_DIR: runtimeDir };
  const site = await startHostileSite();
  goFirst();
  try {
    return await onSystem({ directory }, env, async (system) => {
      const usage = watchUsage(() => ({ processes: system.stack.processes, runtimeDir }));
      try {
        return await sideBySide(options, { system, site, usage });
      } finally {
        usage.close();
      }
    });
  } finally {
    await site.close();
  }
}

interface Parts {
  readonly system: SystemUnderTest;
  readonly site: HostileSite;
  readonly usage: UsageWatch;
}

async function sideBySide(options: PagesOptions, parts: Parts): Promise<PagesResult> {
  const { system, site } = parts;
  const [hostile, ordinary] = [await clientsOf(system, visitors), await clientsOf(system, others)];
  const aloneMs = Math.round(Math.min(longestAlone, options.minutes * aloneShare) * 60_000);
  const fresh = await settled(parts.usage);
  // Code is compiled, and caches, pools and heaps fill.
  const warm = AbortSignal.timeout(aloneMs);
  await Promise.all([
    visitUntil(warm, options.sideBySide, hostile, site).done,
    workUntil(warm, ordinary, site),
  ]);
  const before = await settled(parts.usage);
  const alone = await workUntil(AbortSignal.timeout(aloneMs), ordinary, site);
  const { open, ...stretch } = await underPages(options, parts, { hostile, ordinary });
  const after = await settled(parts.usage);
  const afterwards = await workUntil(AbortSignal.timeout(aloneMs), ordinary, site);
  for (const client of [...hostile, ...ordinary]) await client.close();
  const openOnAverage = open.reduce((sum, each) => sum + each, 0) / open.length;
  return {
    ...options,
    ...stretch,
    openOnAverage,
    alone,
    afterwards,
    fresh,
    before,
    after,
    restarts: restartsOf(system),
  };
}

interface Clients {
  readonly hostile: readonly SystemClient[];
  readonly ordinary: readonly SystemClient[];
}

/** Measured from when all pages are loaded, or after a thirtieth of the time. */
async function underPages({ minutes, sideBySide }: PagesOptions, parts: Parts, clients: Clients) {
  const visitsOver = new AbortController();
  const visiting = visitUntil(visitsOver.signal, sideBySide, clients.hostile, parts.site);
  await until(() => visiting.open() >= sideBySide, { limitMs: minutes * 2_000 }).catch(() => undefined);
  const measured = AbortSignal.timeout(Math.round(minutes * 60_000));
  const working = workUntil(measured, clients.ordinary, parts.site);
  const open: number[] = [];
  let most = await parts.usage.now();
  while (!measured.aborted) {
    await delay(lookMs);
    open.push(visiting.open());
    const usage = await parts.usage.now();
    most = greater(most, usage);
    process.stderr.write(`${progressOf(visiting.open(), usage)}\n`);
  }
  const beside = await working;
  visitsOver.abort();
  return { open, beside, most, visits: await visiting.done };
}

/** Pages that are open, and megabytes by process, the node's without those of its browsers. */
const progressOf = (open: number, { byProcessMb, nodeMb }: ResourceUsage): string =>
  Object.entries({ open, ...byProcessMb, 'node alone': nodeMb })
    .map(([name, value]) => `${name} ${value.toFixed(0)}`)
    .join(', ');

const clientsOf = async ({ stack }: SystemUnderTest, count: number): Promise<SystemClient[]> => {
  const clients: SystemClient[] = [];
  while (clients.length < count) {
    const { api_key } = await stack.account('enterprise');
    clients.push(systemClient(stack.baseUrl, api_key));
  }
  return clients;
};

/** Waits until no browser is left except the one in the pool. */
const settled = async (usage: UsageWatch): Promise<ResourceUsage> => {
  const isQuiet = async () => (await usage.now()).browsers <= 1;
  await until(isQuiet, { limitMs: settleLimitMs, everyMs: 500 }).catch(() => undefined);
  return usage.now();
};

const restartsOf = ({ stack: { dataDir } }: SystemUnderTest): readonly string[] =>
  readFileSync(join(dataDir, 'output'), 'utf8')
    .split('\n')
    .filter((line) => line.includes('starting it again'));
