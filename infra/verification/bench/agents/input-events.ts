import express from 'express';
import { Agent } from 'undici';
import { routes, type Route } from '../../../../contracts/routes/index.ts';
import { bodyReader, parseJson } from '../../../http/body.ts';
import { listen } from '../../../http/index.ts';
import { requestValidator } from '../../../http/validator.ts';
import { inFlight } from '../load.ts';
import { startStoreProcess } from '../store-process.ts';
import type { RatioSubject } from '../subject.ts';
import { instantFleet, post, startWriteSide, type BenchWriteSide } from '../write-side.ts';

const clients = 16;
const client_id = 'console';
const touchMoves = { event: { type: 'touchMove', x: 120.5, y: 340.25, touchId: 0 }, client_id };

/**
 * Input of a person who has not taken control: it is validated, counts as a heartbeat and is refused before any
 * dispatch. Includes credential, scope, bucket and the session's state.
 */
export const inputEvents: RatioSubject = {
  kind: 'ratio',
  id: 'agents-input-events',
  long: true,
  title: `input events of people who have asked for the controls / a bare express route with the same validation, ${clients} in flight`,
  pass: 0.8,
  stretch: 0.9,
  operations: 3000,
  async prepare({ directory, logger }) {
    const store = await startStoreProcess(directory);
    const agent = new Agent({ connections: clients });
    const side = await startWriteSide(store.url, instantFleet().fleet, logger);
    const sessions = await pairSessions(agent, side);
    const bare = await startBare();
    const sending = (urlOf: (client: number) => string) => (operations: number) =>
      inFlight(operations, clients, async (_index, client) => {
        const { status, text } = await post(agent, urlOf(client), side.token, touchMoves);
        if (status !== 503) throw new Error(`An input event was answered ${status}: ${text}`);
      });
    return {
      ours: {
        name: 'POST /v1/agent-sessions/{id}/input-event',
        run: sending((client) => `${side.base}/v1/agent-sessions/${sessions[client] ?? ''}/input-event`),
      },
      raw: { name: 'express route with the same validation', run: sending(() => `${bare.base}/input-event`) },
      close: async () => {
        await agent.close();
        await bare.close();
        await side.close();
        await store.stop();
      },
    };
  },
};

/** Opens an agent session for each client, which then requests control. */
const pairSessions = (agent: Agent, { base, token }: BenchWriteSide): Promise<readonly string[]> =>
  Promise.all(
    Array.from({ length: clients }, async () => {
      const made = await post(agent, `${base}/v1/agent-sessions`, token, { mode: 'pair' });
      const { id } = JSON.parse(made.text) as { readonly id: string };
      const asked = await post(agent, `${base}/v1/agent-sessions/${id}/takeover`, token, { client_id });
      if (asked.status !== 200) throw new Error(`The controls could not be asked for: ${asked.text}`);
      return id;
    }),
  );

async function startBare() {
  const table: readonly Route[] = routes;
  const route = table.find(({ id }) => id === 'agent-sessions.input-event');
  if (route === undefined) throw new Error('The table has no input events.');
  const validate = requestValidator(route);
  const readBody = bodyReader(1024 * 1024);
  const app = express().disable('etag').disable('x-powered-by');
  app.post('/input-event', async (request, response) => {
    const body = parseJson(await readBody(request, response), request.headers['content-type'])?.value;
    await validate({ query: request.query, headers: request.headers, body });
    response.status(503).setHeader('Content-Type', 'application/problem+json');
    response.end(JSON.stringify({ title: 'Feature unavailable', status: 503 }));
  });
  const { port, close } = await listen(app, 0);
  return { base: `http://127.0.0.1:${port}`, close };
}
