import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import express from 'express';
import { pino } from 'pino';
import { createStatusHub } from '../../../../read-api/status/hub.ts';
import { connectEventStore } from '../../../event-store/client/index.ts';
import { createGateway } from '../../../gateway/index.ts';
import { listen } from '../../../http/index.ts';
import { systemClock } from '../../../platform/clock.ts';
import { readApi } from '../bench-read-api.ts';

/**
 * The read API with the status of one event store, a gateway in front of it, and a bare route that returns the same.
 */
const [storeUrl = '', directory = ''] = process.argv.slice(2);
const logger = pino({ level: 'silent' });
const errorsBase = 'https://errors.example';
const store = connectEventStore({ url: storeUrl, logger });
const status = createStatusHub({
  ...{ store, clock: systemClock, logger, file: join(directory, 'status.json') },
  streamsPerAddress: 10_000,
});
const nowhere = 'postgres://localhost:1/nowhere';
const api = await listen(readApi(nowhere, { status }), 0);
const apiUrl = `http://127.0.0.1:${api.port}`;
const gateway = createGateway({ readUrl: apiUrl, writeUrl: apiUrl, errorsBase, logger });
const front = await listen(gateway.listener, 0);

const bare = express().disable('etag').disable('x-powered-by');
const answer = JSON.parse(status.current().body) as object;
bare.get('/v1/status', (_request, response) => {
  response.json(answer);
});

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
// The caller reads the memory of this process next.
process.on('message', () => {
  collectGarbage();
  process.send?.({ cpu: process.cpuUsage() });
});
process.on('disconnect', () => process.exit());
process.send?.({ ports: { api: api.port, gateway: front.port, bare: (await listen(bare, 0)).port } });
