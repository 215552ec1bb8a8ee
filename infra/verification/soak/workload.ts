import { setTimeout as delay } from 'node:timers/promises';
import type { SystemClient } from '../bench/system/system-client.ts';
import type { Random } from '../chaos/random.ts';

interface Entry {
  readonly took: number[];
  failures: number;
}

/** Durations of each operation in milliseconds, since they were last taken. */
export interface Journal {
  record(name: string, milliseconds: number, succeeded: boolean): void;
  take(): Readonly<Record<string, Readonly<Entry>>>;
}

export function createJournal(): Journal {
  let entries: Record<string, Entry> = {};
  return {
    record: (name, milliseconds, succeeded) => {
      const entry = (entries[name] ??= { took: [], failures: 0 });
      entry.took.push(milliseconds);
      if (!succeeded) entry.failures += 1;
    },
    take: () => {
      const taken = entries;
      entries = {};
      return taken;
    },
  };
}

/** Weight of each operation, and its requests to a session that only it uses. */
const mix: readonly { readonly name: string; readonly weight: number; readonly ask: Ask }[] = [
  {
    name: 'navigate',
    weight: 30,
    ask: (client, id) => client.call('POST', `/v1/sessions/${id}/navigate`, page),
  },
  {
    name: 'interact',
    weight: 20,
    ask: (client, id) => client.call('POST', `/v1/sessions/${id}/interact`, tap),
  },
  { name: 'state', weight: 15, ask: (client, id) => client.call('GET', `/v1/sessions/${id}/state`) },
  { name: 'read', weight: 20, ask: (client, id) => client.call('GET', `/v1/sessions/${id}`) },
  { name: 'list', weight: 10, ask: (client) => client.call('GET', '/v1/sessions?limit=20') },
  { name: 'replace', weight: 5, ask: replace },
];
type Ask = (client: SystemClient, session: string) => Promise<unknown>;
/** Creates the new one first: if anything fails, there is a session to continue with. */
async function replace(client: SystemClient, session: string): Promise<string> {
  const fresh = await client.create();
  await client.end(session);
  return fresh;
}
const page = { url: 'http://sim.test/' };
const tap = { action: { kind: 'tap', x: 10, y: 10 } };

export interface Workload {
  /** One operation on a free session; it is recorded, and never throws. */
  one(): Promise<void>;
  readonly underWay: () => number;
  /** The first few errors. */
  readonly complaints: readonly string[];
}

const mostComplaints = 5;

/** Takes sessions from `free` and returns them, or their replacements. */
export function createWorkload(
  client: SystemClient,
  free: string[],
  journal: Journal,
  random: Random,
): Workload {
  const complaints: string[] = [];
  let underWay = 0;
  const one = async (): Promise<void> => {
    const chosen = random.weighted(mix);
    const startedAt = performance.now();
    underWay += 1;
    const session = await next(free);
    let left = session;
    let succeeded = true;
    try {
      const answer = await chosen.ask(client, session);
      if (typeof answer === 'string') left = answer;
    } catch (error) {
      succeeded = false;
      if (complaints.length < mostComplaints) complaints.push(`${chosen.name}: ${String(error)}`);
    }
    free.push(left);
    underWay -= 1;
    journal.record(chosen.name, performance.now() - startedAt, succeeded);
  };
  return { one, underWay: () => underWay, complaints };
}

/** Waiting for a free session counts as latency: in an open loop a client that comes too early still waits. */
async function next(free: string[]): Promise<string> {
  for (;;) {
    const session = free.shift();
    if (session !== undefined) return session;
    await delay(1);
  }
}
