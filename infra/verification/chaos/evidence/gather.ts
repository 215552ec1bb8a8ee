import { projections, verifyProjection } from '../../../../projections/index.ts';
import { openRows } from '../../../personal/text.ts';
import type { World } from '../world/index.ts';
import { readLog } from './log.ts';
import { booksOf } from './payments.ts';
import { driverLines, processEnds, processLogs } from './processes.ts';
import { dumpRedis } from './redis.ts';
import { dumpTables, readTables } from './tables.ts';
import { stemsOf } from './secrets.ts';
import type { Canary, Evidence } from './types.ts';

type AtRest = Omit<
  Evidence,
  | 'faults'
  | 'samples'
  | 'live'
  | 'pasts'
  | 'queriedEffects'
  | 'unserved'
  | 'canaries'
  | 'processLogs'
  | 'ends'
  | 'exitStatus'
  | 'leftovers'
>;

/** Collects what the settled service stores, before it is stopped; of stored text only what may contain a canary. */
export async function gatherAtRest(world: World, canaries: readonly Canary[]): Promise<AtRest> {
  const { stack, operator, history, kills, driverLog, receivers, mailbox, clock, payments } = world;
  const stems = stemsOf(canaries);
  const { log: stored, suspects } = await readLog(stack.stores.eventStore.url, stems);
  const data = await openRows(
    operator.vault,
    stored.map((event) => event.data),
  );
  const redis =
    stack.stores.redis === undefined ? {} : { Redis: await dumpRedis(stack.stores.redis.url, stems) };
  return {
    history: history.exchanges,
    kills,
    log: stored.map((event, index) => ({ ...event, data: data[index] ?? event.data })),
    driver: driverLines(driverLog),
    messages: receivers.received,
    mails: mailbox.received,
    clockJumps: clock.jumps,
    payments: booksOf(payments),
    tables: await readTables(operator.pool),
    rebuilds: await rebuilds(world),
    stored: {
      'the event log': suspects,
      ...redis,
      ...(await dumpTables(operator.pool, stems)),
    },
  };
}

/** Compares each read model with one rebuilt from the whole log. */
async function rebuilds({ operator: { pool, store } }: World): Promise<Evidence['rebuilds']> {
  const verdicts: Evidence['rebuilds'][number][] = [];
  for (const { name } of projections) {
    const { matches, live, rebuilt } = await verifyProjection(name, { pool, store });
    const detail = `${live.rows} rows (${live.hash}) live, ${rebuilt.rows} (${rebuilt.hash}) rebuilt`;
    verdicts.push({ projection: name, matches, detail });
  }
  return verdicts;
}

/** Output of its processes until their end. */
export function gatherLogs(dataDir: string): Pick<Evidence, 'processLogs' | 'ends'> {
  const logs = processLogs(dataDir);
  return { processLogs: logs, ends: processEnds(logs.supervisor ?? []) };
}
