import { pino } from 'pino';
import { createRunner } from '../../../../commands/engine/runner.ts';
import { createAnchoring } from '../../../../commands/public-tree/anchoring.ts';
import { connectEventStore } from '../../../event-store/client/index.ts';
import { anchoringPorts } from '../../../main/composition/anchoring-ports.ts';
import { createNoteKeys } from '../../../notes/note-keys.ts';
import { systemClock } from '../../../platform/clock.ts';
import { connectPostgres } from '../../../postgres/index.ts';
import { createMasterKeys, createSigningKeys, createVault } from '../../../vault/index.ts';
import type { Anchored, Anchoring } from './anchoring.ts';

/** Anchors everything in one round, as the process host does, and reports the cost to its parent. */
const { storeUrl, postgresUrl, masterKey, file } = JSON.parse(process.argv[2] ?? '') as Anchoring;
const logger = pino({ level: 'warn' }, process.stderr);
const { pool } = connectPostgres({ url: postgresUrl, logger });
const store = connectEventStore({ url: storeUrl, logger });
const masterKeys = createMasterKeys([Buffer.from(masterKey, 'base64')]);
const noteKeys = createNoteKeys({
  keys: createSigningKeys(pool, masterKeys, 'audit notes'),
  baseUrl: 'https://service.example',
});
const { round } = createAnchoring(
  anchoringPorts({
    ...{ pool, store, noteKeys, file, intervalMs: 0, clock: systemClock, logger },
    runner: createRunner({ store, logger, cacheEntries: 10 }),
    vault: createVault({ pool, masterKeys }),
  }),
);
// Connections and keys exist before the round, as in a process that has run for a while.
await Promise.all([noteKeys.current(), store.head()]);

const rssMb = () => process.memoryUsage.rss() / 2 ** 20;
const before = rssMb();
let most = before;
const watch = setInterval(() => (most = Math.max(most, rssMb())), 20);
const [startedAt, startedCpu] = [performance.now(), process.cpuUsage()];
await round();
const { user, system } = process.cpuUsage(startedCpu);
clearInterval(watch);
process.send?.({
  ms: performance.now() - startedAt,
  cpuMs: (user + system) / 1000,
  addedMb: Math.max(most, rssMb()) - before,
} satisfies Anchored);
process.once('disconnect', () => process.exit());
