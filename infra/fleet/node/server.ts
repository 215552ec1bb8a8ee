import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import express, { type NextFunction, type Request, type Response } from 'express';
import type { Logger } from 'pino';
import {
  CreateDispatch,
  OperationDispatch,
  mostDispatchBytes,
  tenantHeader,
} from '../../../contracts/fleet/protocol.ts';
import type { Clock } from '../../platform/clock.ts';
import { parseId } from '../../../contracts/ids.ts';
import type { InternalTls } from '../../internal-tls/index.ts';
import { bearerToken, sameSecret } from '../../platform/presented-secrets.ts';
import { inSpan, serving } from '../../tracing/index.ts';
import { nodeIdOf } from '../control-plane/credential.ts';
import { tunnelUrl } from '../tunnel/address.ts';
import { DispatchMemory } from './dispatch-memory.ts';
import { liveRoutes } from './live-routes.ts';
import type { Sessions } from './sessions.ts';
import { shape } from '../shape.ts';
import type { VideoServer } from '../video/server.ts';

export interface NodeServerOptions {
  /** `dial`: it does not listen, and serves the connections that are passed to it. */
  readonly connect?: 'listen' | 'dial';
  readonly host?: string;
  readonly port?: number;
  /** Accepts only callers with a certificate of the installation. Default plain HTTP. */
  readonly tls?: InternalTls | undefined;
  readonly clock: Clock;
  readonly credential: string;
  readonly sessions: Sessions;
  readonly logger: Logger;
  /** Accepts the sockets of live view, which have their own credentials. */
  readonly video?: Pick<VideoServer, 'upgrade'> | undefined;
}

const isCreate = shape(CreateDispatch);
const isOperation = shape(OperationDispatch);

/** `nodeRoutes` over HTTP. Every answer but a wrong credential or a malformed request is 200 with an outcome. */
export async function startNodeServer(options: NodeServerOptions) {
  const { sessions } = options;
  const memory = new DispatchMemory({ clock: options.clock });
  const app = express()
    .disable('x-powered-by')
    .disable('etag')
    .use(authenticated(options.credential), traced, express.json({ limit: mostDispatchBytes }));

  app.post('/sessions', async ({ body, headers }: Request<object, unknown, unknown>, reply) => {
    if (!isCreate.is(body)) return void reply.status(400).json({ error: 'not a create dispatch' });
    const create = () => inSpan({ name: 'browser create' }, () => sessions.create(body, markIn(headers)));
    reply.type('json').send(await memory.once(body.dispatch_id, create));
  });
  app.post(
    '/sessions/:id/operations',
    async ({ params, body }: Request<{ id: string }, unknown, unknown>, reply) => {
      const session = parseId('session', params.id);
      if (!session || !isOperation.is(body))
        return void reply.status(400).json({ error: 'not an operation dispatch' });
      reply.type('json').send(await memory.once(body.dispatch_id, () => sessions.operate(session, body)));
    },
  );
  app.use(liveRoutes(sessions, memory));
  app.delete('/sessions/:id', async ({ params: { id } }, reply) => {
    const session = parseId('session', id);
    if (session) await sessions.destroy(session);
    reply.status(204).end();
  });
  app.get('/status', (_request, reply) => void reply.json(sessions.status()));
  app.use(failed(options.logger));

  const dials = options.connect === 'dial';
  const server = withSockets(serverOf(app, dials ? undefined : options.tls), options);
  // Longer than the control plane's pool keeps an idle connection, so that it never sends on one that is being closed here.
  server.keepAliveTimeout = 75_000;
  return {
    server,
    url: dials ? tunnelUrl(nodeIdOf(options.credential)) : await listenOn(server, options),
    close: () => closed(server),
  };
}

const closed = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

async function listenOn(
  server: Server,
  { host = '127.0.0.1', port = 0, tls }: NodeServerOptions,
): Promise<string> {
  server.listen(port, host);
  await once(server, 'listening');
  return `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${portOf(server)}`;
}

function serverOf(app: RequestListener, tls: InternalTls | undefined): Server {
  if (tls === undefined) return createServer(app);
  const server = createTlsServer({ ...tls.server, rejectUnauthorized: true }, app);
  tls.onRenewed((context) => server.setSecureContext(context));
  return server;
}

const withSockets = (server: Server, { video }: NodeServerOptions): Server =>
  video ? server.on('upgrade', video.upgrade) : server;

/** Mark of the account; empty for all accounts of a control plane of an earlier release. */
const markIn = ({ [tenantHeader]: mark }: IncomingHttpHeaders): string => String(mark ?? '');

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The node has no port.');
  return address.port;
}

const authenticated = (credential: string) => (request: Request, reply: Response, next: NextFunction) => {
  const token = bearerToken(request.headers.authorization);
  if (token !== undefined && sameSecret(token, credential)) return next();
  reply.status(401).json({ error: 'unauthorized' });
};

/** Continues the trace of the request that the control plane serves. */
const traced = (request: Request, reply: Response, next: NextFunction) => {
  const { method } = request;
  const route = () => (request.route as { readonly path?: string } | undefined)?.path;
  serving(reply, { method, parent: request.get('traceparent'), route }, next);
};

const failed =
  (logger: Logger) => (error: unknown, _request: Request, reply: Response, _next: NextFunction) => {
    const status = error instanceof Error && 'status' in error && error.status === 400 ? 400 : 500;
    if (status === 500) logger.error({ err: error }, 'A dispatch failed in the node.');
    reply.status(status).json({ error: status === 400 ? 'malformed request' : 'internal' });
  };
