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
/** Nothing is sealed. */
const vault = { open: (_owner: string, _field: string, text: string) => Promise.resolve({ text }) };
const transcripts = createTranscripts({ store, pool, vault, clock: systemClock, logger });
const { port } = await listen(readApi(postgresUrl, transcripts), 0);

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
// Whoever asks looks at the memory of this process next.
process.on('message', () => {
  collectGarbage();
  process.send?.({ cpu: process.cpuUsage() });
});
process.on('disconnect', () => process.exit());
process.send?.({ ports: { api: port } });
