import { randomUUID } from 'node:crypto';
import { EventStoreDBClient, NO_STREAM, jsonEvent } from '@eventstore/db-client';
import express from 'express';
import { Agent } from 'undici';
import { listen } from '../../../http/index.ts';
import { inFlight } from '../load.ts';
import { startStoreProcess } from '../store-process.ts';
import type { RatioSubject } from '../subject.ts';
import { createSessions, instantFleet, post, startWriteSide } from '../write-side.ts';

const clients = 16;

/**
 * Each client on a resource of its own. A browser operation over HTTP (credential, scope, bucket, validation, claim,
 * settle) against a bare express route that does the same to the log with the plain client: read ten events, append the
 * claim, append the settle.
 */
export const httpCommand: RatioSubject = {
  kind: 'ratio',
  id: 'R3',
  title: 'HTTP command / bare express route with the same raw read and appends',
  pass: 0.55,
  stretch: 0.75,
  operations: 1500,
  async prepare({ directory, logger }) {
    const process = await startStoreProcess(directory);
    const agent = new Agent({ connections: clients });
    const side = await startWriteSide(process.url, instantFleet().fleet, logger);
    const sessions = await createSessions(agent, side.base, side.token, clients);
    const raw = await startRaw(process.url);

    return {
      ours: {
        name: 'POST /v1/sessions/{id}/navigate',
        run: (operations) =>
          inFlight(operations, clients, async (_index, client) => {
            const url = `${side.base}/v1/sessions/${sessions[client]}/navigate`;
            expectOk(await post(agent, url, side.token, { url: 'http://sim.test/' }));
          }),
      },
      raw: {
        name: 'express route with raw calls',
        run: (operations) =>
          inFlight(operations, clients, async (_index, client) => {
            expectOk(await post(agent, `${raw.base}/${client}`, side.token, { url: 'http://sim.test/' }));
          }),
      },
      close: async () => {
        await agent.close();
        await side.close();
        await raw.close();
        await process.stop();
      },
    };
  },
};

const expectOk = ({ status, text }: { status: number; text: string }): void => {
  if (status !== 200) throw new Error(`A request failed with ${status}: ${text}`);
};

async function startRaw(url: string) {
  const store = EventStoreDBClient.connectionString(url);
  const streams = Array.from({ length: clients }, () => `raw-${randomUUID()}`);
  const event = (type: string) =>
    jsonEvent({
      type,
      data: { sessionId: `ses_${randomUUID()}`, operation: 'navigate', at: new Date().toISOString() },
      metadata: { actor: { kind: 'api_key', account_id: `acc_${randomUUID()}` } },
    });
  for (const stream of streams)
    await store.appendToStream(
      stream,
      Array.from({ length: 10 }, () => event('Seeded')),
      {
        expectedRevision: NO_STREAM,
      },
    );
  const app = express();
  app.post('/:client', express.json(), async (request, response) => {
    const stream = streams[Number(request.params.client)] ?? '';
    let revision = -1n;
    for await (const { event: read } of store.readStream(stream, {
      maxCount: 10,
      direction: 'backwards',
      fromRevision: 'end',
    }))
      if (read && read.revision > revision) revision = read.revision;
    const claimed = await store.appendToStream(stream, event('OperationClaimed'), {
      expectedRevision: revision,
    });
    await store.appendToStream(stream, event('OperationSettled'), {
      expectedRevision: claimed.nextExpectedRevision,
    });
    response.json({ final_url: 'http://sim.test/', status: 200, duration_ms: 0 });
  });
  const { port, close } = await listen(app, 0);
  return { base: `http://127.0.0.1:${port}`, close: () => close().then(() => store.dispose()) };
}
