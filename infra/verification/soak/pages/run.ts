import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { systemClient, type SystemClient } from '../../bench/system-client.ts';
import { total, usedBy } from '../../bench/system-processes.ts';
import { onSystem, type SystemUnderTest } from '../../bench/system-stack.ts';
import { webKit } from '../../bench/system-webkit.ts';
import { startHostileSite, type HostileSite } from '../../hostile-pages/site.ts';
import { until } from '../../testbed/index.ts';
import { workUntil, type Worked } from './others.ts';
import { visitUntil, type Visits } from './visitors.ts';

export interface PagesOptions {
  readonly minutes: number;
  readonly sideBySide: number;
  /** Settings of the service, beyond its defaults: bounds of browsers and of the node. */
  readonly set: Readonly<Record<string, string>>;
}

/** What the service and the machine have of memory and disk, MB. */
export interface Room {
  /** Of all processes of the service and its browsers, without what they share. */
  readonly serviceMb: number;
  readonly nodeMb: number;
  /** Of what browsers have written. */
  readonly diskMb: number;
  readonly browsers: number;
}

export interface Visited {
  readonly minutes: number;
  readonly sideBySide: number;
  /** As many as were there at once, on average. */
  readonly openOnAverage: number;
  readonly visits: Visits;
  /** Of the other accounts: without hostile pages, beside them, and when they were gone. */
  readonly alone: Worked;
  readonly beside: Worked;
  readonly afterwards: Worked;
  readonly before: Room;
  readonly most: Room;
  readonly after: Room;
  /** Processes of the service that ended and were started again. */
  readonly restarts: readonly string[];
}

const visitors = 5;
const others = 3;
/** Of the minutes, those before, and those after, in which the others are alone. */
const aloneShare = 1 / 5;
const longestAlone = 5;
const lookMs = 2_000;
const settleLimitMs = 60_000;

/** Hostile and ordinary pages side by side from some accounts, and what others notice of it. */
export async function visitPages(options: PagesOptions, directory: string): Promise<Visited> {
  const runtimeDir = join(directory, 'browsers');
  const env = { ...webKit({ waiting: 1 }), ...options.set, WEBKIT_RUNTIME_DIR: runtimeDir };
  const site = await startHostileSite();
  try {
    return await onSystem({ directory }, env, (system) => sideBySide(options, { system, site, runtimeDir }));
  } finally {
    await site.close();
  }
}

interface Parts {
  readonly system: SystemUnderTest;
  readonly site: HostileSite;
  readonly runtimeDir: string;
}

async function sideBySide(options: PagesOptions, parts: Parts): Promise<Visited> {
  const { system, site } = parts;
  const [hostile, ordinary] = [await clientsOf(system, visitors), await clientsOf(system, others)];
  const aloneMs = Math.min(longestAlone, options.minutes * aloneShare) * 60_000;
  // Code that has not been compiled yet is no measure.
  await workUntil(AbortSignal.timeout(aloneMs / 4), ordinary, site);
  const before = await settled(parts);
  const alone = await workUntil(AbortSignal.timeout(aloneMs), ordinary, site);
  const { open, ...stretch } = await underPages(options, parts, { hostile, ordinary });
  const after = await settled(parts);
  const afterwards = await workUntil(AbortSignal.timeout(aloneMs), ordinary, site);
  for (const client of [...hostile, ...ordinary]) await client.close();
  const openOnAverage = open.reduce((sum, each) => sum + each, 0) / open.length;
  return {
    ...options,
    ...stretch,
    openOnAverage,
    alone,
    afterwards,
    before,
    after,
    restarts: restartsOf(system),
  };
}

interface Clients {
  readonly hostile: readonly SystemClient[];
  readonly ordinary: readonly SystemClient[];
}

/** Measured from when all pages are there, or a tenth of the time has passed. */
async function underPages({ minutes, sideBySide }: PagesOptions, parts: Parts, clients: Clients) {
  const over = new AbortController();
  const visiting = visitUntil(over.signal, sideBySide, clients.hostile, parts.site);
  await until(() => visiting.open() >= sideBySide, { limitMs: minutes * 6_000 }).catch(() => undefined);
  const measured = AbortSignal.timeout(minutes * 60_000);
  const working = workUntil(measured, clients.ordinary, parts.site);
  const open: number[] = [];
  let most = roomOf(parts);
  while (!measured.aborted) {
    await delay(lookMs);
    open.push(visiting.open());
    most = greater(most, roomOf(parts));
    process.stderr.write(
      `${open.length * (lookMs / 1000)} s: ${visiting.open()} open, ${most.serviceMb.toFixed(0)} MB at most\n`,
    );
  }
  const beside = await working;
  over.abort();
  return { open, beside, most, visits: await visiting.done };
}

const clientsOf = async ({ stack }: SystemUnderTest, count: number): Promise<SystemClient[]> => {
  const clients: SystemClient[] = [];
  while (clients.length < count) {
    const { api_key } = await stack.account('enterprise');
    clients.push(systemClient(stack.baseUrl, api_key));
  }
  return clients;
};

/** Once no browser is left but the one that waits. */
const settled = async (parts: Parts): Promise<Room> => {
  await until(() => roomOf(parts).browsers <= 1, { limitMs: settleLimitMs }).catch(() => undefined);
  return roomOf(parts);
};

function roomOf({ system: { stack }, runtimeDir }: Parts): Room {
  const used = usedBy(stack.processes);
  return {
    serviceMb: total(used).pssMb,
    nodeMb: residentMb(stack.processes.node),
    // It complains of what vanishes meanwhile, and counts the rest.
    diskMb: Number.parseInt(spawnSync('du', ['-sm', runtimeDir]).stdout.toString(), 10),
    browsers: readdirSync(runtimeDir).length,
  };
}

const residentMb = (pid = 0): number =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

const greater = (one: Room, other: Room): Room => ({
  serviceMb: Math.max(one.serviceMb, other.serviceMb),
  nodeMb: Math.max(one.nodeMb, other.nodeMb),
  diskMb: Math.max(one.diskMb, other.diskMb),
  browsers: Math.max(one.browsers, other.browsers),
});

const restartsOf = ({ stack: { dataDir } }: SystemUnderTest): readonly string[] =>
  readFileSync(join(dataDir, 'output'), 'utf8')
    .split('\n')
    .filter((line) => line.includes('starting it again'));
