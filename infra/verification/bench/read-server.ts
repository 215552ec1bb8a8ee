import express from 'express';
import { pino } from 'pino';
import { listen } from '../../http/index.ts';
import { connectPostgres } from '../../postgres/index.ts';
import { readApi } from './bench-read-api.ts';

const logger = pino({ level: 'warn' }, process.stderr);

/** The simplest implementation: returns the row by id and account, unchanged. */
function bareApi(url: string) {
  const { pool } = connectPostgres({ url, logger });
  const app = express().disable('etag').disable('x-powered-by');
  app.get('/v1/sessions/:id', async (request, response) => {
    const { rows } = await pool.query<object>({
      name: 'session',
      text: 'select * from read_model.sessions where id = $1 and account_id = $2',
      values: [request.params.id, request.headers['x-account']],
    });
    if (rows[0] === undefined) response.status(404).end();
    else response.json(rows[0]);
  });
  return app;
}

/** Serves the read API for each database given; for the first, also the bare implementation. */
const [first = '', ...others] = process.argv.slice(2);
const ports: Record<string, number> = { bare: (await listen(bareApi(first), 0)).port };
for (const [index, url] of [first, ...others].entries())
  ports[String(index)] = (await listen(readApi(url), 0)).port;
process.on('message', () => process.send?.({ cpu: process.cpuUsage() }));
process.on('disconnect', () => process.exit());
process.send?.({ ports });
