import pino from 'pino';
import { createRunner } from '../../../commands/engine/runner.ts';
import { createAnchoring } from '../../../commands/public-tree/anchoring.ts';
import { connectEventStore } from '../../event-store/client/index.ts';
import { anchoringPorts } from '../../main/composition/anchoring-ports.ts';
import { createNoteKeys } from '../../notes/note-keys.ts';
import { systemClock } from '../../platform/clock.ts';
import { connectPostgres } from '../../postgres/index.ts';
import { createMasterKeys, createSigningKeys, createVault } from '../../vault/index.ts';
import type { Anchoring } from './anchoring-world.ts';

/** Anchors once, and blocks before the step with this number. */
const { storeUrl, postgresUrl, masterKey, baseUrl, file, stopBefore } = JSON.parse(
  process.argv[2] ?? '',
) as Anchoring;
const logger = pino({ level: 'silent' });
const { pool } = connectPostgres({ url: postgresUrl, logger });
const masterKeys = createMasterKeys([Buffer.from(masterKey, 'base64')]);
const store = connectEventStore({ url: storeUrl, logger });
const ports = anchoringPorts({
  ...{ pool, store },
  runner: createRunner({ store, logger, cacheEntries: 10 }),
  clock: systemClock,
  vault: createVault({ pool, masterKeys }),
  noteKeys: createNoteKeys({ keys: createSigningKeys(pool, masterKeys, 'audit notes'), baseUrl }),
  intervalMs: 0,
  file,
  logger,
});

let steps = 0;
const step = async (): Promise<void> => {
  steps += 1;
  if (steps !== stopBefore) return;
  process.send?.('stopped');
  await new Promise(() => undefined);
};
const { round } = createAnchoring({
  ...ports,
  leavesAnEvent: 2,
  runner: {
    ...ports.runner,
    run: async (...args) => {
      await step();
      return ports.runner.run(...args);
    },
  },
  kept: {
    ...ports.kept,
    write: async (head) => {
      await step();
      await ports.kept.write(head);
    },
  },
});
await round();
process.send?.('done');
process.once('disconnect', () => process.exit(0));
