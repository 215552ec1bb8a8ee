import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Router, type Request, type Response } from 'express';
import type { LiveOperation } from '../../../contracts/fleet/operations.ts';
import { LiveDispatch, PutFile, outcomeHeader } from '../../../contracts/fleet/protocol.ts';
import { Type, closed } from '../../../contracts/schema.ts';
import { parseId } from '../../../contracts/ids.ts';
import { shape } from '../shape.ts';
import type { DispatchMemory } from './dispatch-memory.ts';
import { jsonOf } from './outcome-json.ts';
import type { Sessions } from './sessions.ts';

const isLive = shape(LiveDispatch);
const isPutFile = shape(PutFile);
const isDownload = shape(
  closed({ dispatch_id: Type.String(), name: Type.String(), timeout_ms: Type.Integer({ minimum: 1 }) }),
);

/** Operations that change something run once, however often they are sent. The others run each time. */
const changing: ReadonlySet<LiveOperation> = new Set(['cookies_set', 'history']);

type WithSession = Request<{ id: string }, unknown, unknown>;
const malformed = (reply: Response) => void reply.status(400).json({ error: 'malformed request' });

/** Routes for calls beside the operations, and for contents of files, which are streamed. */
export function liveRoutes(sessions: Sessions, memory: DispatchMemory): Router {
  const router = Router();
  router.post('/sessions/:id/live', async ({ params, body }: WithSession, reply) => {
    const session = parseId('session', params.id);
    if (!session || !isLive.is(body)) return malformed(reply);
    const run = () => sessions.live(session, body);
    const { operation, dispatch_id: id } = body;
    const outcome = await (changing.has(operation) ? memory.once(id, run) : run().then(jsonOf));
    reply.type('json').send(outcome);
  });
  router.put('/sessions/:id/files', async (request: WithSession, reply) => {
    const session = parseId('session', request.params.id);
    const file = { ...request.query, size: Number(request.query.size) };
    const isWhole = Number(request.headers['content-length']) === file.size;
    if (!session || !isPutFile.is(file) || !isWhole) return malformed(reply);
    const outcome = await memory.once(file.dispatch_id, () => sessions.putFile(session, file, request));
    // An unread content would break the connection of the answer.
    request.resume();
    reply.type('json').send(outcome);
  });
  router.get('/sessions/:id/downloads/content', async (request: WithSession, reply) => {
    const session = parseId('session', request.params.id);
    const asked = { ...request.query, timeout_ms: Number(request.query.timeout_ms) };
    if (!session || !isDownload.is(asked)) return malformed(reply);
    const { outcome, content } = await sessions.download(session, asked);
    reply.setHeader(outcomeHeader, encodeURIComponent(JSON.stringify(outcome)));
    if (content === undefined) return void reply.end();
    reply.type('application/octet-stream');
    // The client has disconnected, or the file is gone: the broken connection shows that it is incomplete.
    await pipeline(Readable.from(content), reply).catch(() => reply.destroy());
  });
  return router;
}
