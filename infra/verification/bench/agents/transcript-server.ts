import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { pino } from 'pino';
import { createTranscripts } from '../../../../read-api/transcript/hub.ts';
import { connectEventStore } from '../../../event-store/client/index.ts';
import { listen } from '../../../http/index.ts';
import { systemClock } from '../../../platform/clock.ts';
import { connectPostgres } from '../../../postgres/index.ts';
import { readApi } from '../bench-read-api.ts';

const [postgresUrl = '', storeUrl = ''] = process.argv.slice(2);
const logger = pino({ level: 'warn' }, process.stderr);
const { pool } = connectPostgres({ url: postgresUrl, logger });
const store = connectEventStore({ url: storeUrl, logger });
/** No encryption. */
const vault = { open: (_owner: string, _field: string, text: string) => Promise.resolve({ text }) };
const transcripts = createTranscripts({ store, pool, vault, clock: systemClock, logger });
const { port } = await listen(readApi(postgresUrl, { transcripts }), 0);

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
/**
 * Freed memory returns to the system a while after a collection, and memory held by finalizers only with the next one.
 * Without this wait, an idle listener seemed to take anything from 32 to 51 kB.
 */
async function settle(): Promise<void> {
  for (let collections = 0; collections < 5; collections += 1) {
    collectGarbage();
    await delay(200);
  }
}
// The caller reads the memory of this process next.
process.on('message', () => {
  void settle().then(() => process.send?.({ cpu: process.cpuUsage() }));
});
process.on('disconnect', () => process.exit());
process.send?.({ ports: { api: port } });
