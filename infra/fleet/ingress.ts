import express, { type NextFunction, type Request, type Response, type Router } from 'express';
import type { Logger } from 'pino';
import {
  Heartbeat,
  Register,
  Report,
  controlRoutes,
  type HeartbeatReply,
} from '../../contracts/fleet/protocol.ts';
import type { NodeId, SessionId } from '../../contracts/ids.ts';
import { bearerToken, hashCredential, nodeIdOf, sameSecret } from './credential.ts';
import { Refusal, problems } from '../../contracts/problems.ts';
import type { NodeRegistry } from './registry.ts';
import { shape } from './shape.ts';

/** The record of nodes, as the ingress asks it. */
export interface NodeRecord {
  /** Admits a node, or knows it again; throws a `Refusal` when it may not come in. */
  register(node: { nodeId: NodeId; name: string; credentialHash: string }): Promise<void>;
  /** `unknown` when no such node ever registered with this credential. Asked at every call of a node. */
  authenticate(node: NodeId, credentialHash: string): Promise<'unknown' | 'active' | 'draining' | 'revoked'>;
}

export interface FleetIngressOptions {
  readonly registry: NodeRegistry;
  /** Admits a node the record does not know yet. */
  readonly joinToken: string;
  /** Milliseconds between two heartbeats of a node. */
  readonly heartbeatMs: number;
  readonly logger: Logger;
  readonly nodes: NodeRecord;
  /** Of the sessions a node runs, those it must end: their streams have ended, or are another node's. */
  readonly sessionsToDestroy: (node: NodeId, sessions: readonly SessionId[]) => Promise<readonly SessionId[]>;
  /** At least once per `report_id`. Must reject when the report could not be recorded, so that it is sent again. */
  readonly onReport: (node: NodeId, report: Report) => Promise<void>;
}

const isRegister = shape(Register);
const isHeartbeat = shape(Heartbeat);
const isReport = shape(Report);

/** The routes nodes call: `controlRoutes`. Refusals are bare statuses; nodes are ours and dispatch on nothing else. */
export function createFleetIngress(options: FleetIngressOptions): Router {
  const { registry, joinToken, heartbeatMs, nodes, logger } = options;
  const router = express.Router();
  const json = express.json({ limit: '1mb' });

  router.post(
    pathOf(controlRoutes.register),
    json,
    async ({ headers, body }: Request<object, unknown, unknown>, reply) => {
      const token = bearerToken(headers.authorization);
      if (token === undefined || !sameSecret(token, joinToken)) return void reply.status(401).end();
      if (!isRegister.is(body)) return void reply.status(400).end();
      const nodeId = nodeIdOf(body.credential);
      const credentialHash = hashCredential(body.credential);
      await nodes.register({ nodeId, name: body.name, credentialHash });
      const draining = (await nodes.authenticate(nodeId, credentialHash)) !== 'active';
      const { url, driver, capacity } = body;
      const status = { driver, capacity, sessions: [], draining };
      await registry.heartbeat({ node_id: nodeId, url, status }, body.credential);
      reply.json({ node_id: nodeId, heartbeat_ms: heartbeatMs });
    },
  );

  const admitted = admission(nodes);

  router.post(
    pathOf(controlRoutes.heartbeat),
    json,
    async (request: Request<object, unknown, unknown>, reply) => {
      const node = await admitted(request, reply);
      if (!node) return;
      const { body } = request;
      if (!isHeartbeat.is(body) || body.node_id !== node.nodeId) return void reply.status(400).end();
      const draining = node.draining || body.status.draining;
      await registry.heartbeat({ ...body, status: { ...body.status, draining } }, node.credential);
      const destroy = await options.sessionsToDestroy(node.nodeId, body.status.sessions);
      reply.json({ destroy: [...destroy], draining: node.draining } satisfies HeartbeatReply);
    },
  );

  router.post(
    pathOf(controlRoutes.report),
    json,
    async (request: Request<object, unknown, unknown>, reply) => {
      const node = await admitted(request, reply);
      if (!node) return;
      if (!isReport.is(request.body)) return void reply.status(400).end();
      await options.onReport(node.nodeId, request.body);
      reply.status(204).end();
    },
  );

  router.use((error: unknown, _request: Request, reply: Response, _next: NextFunction) => {
    const status = statusOf(error);
    if (status === 503) logger.error({ err: error }, 'A call of a node could not be served.');
    reply.status(status).end();
  });
  return router;
}

/** The credential names the node and the record must know it: nothing in a body can speak for another node. */
const admission =
  (nodes: NodeRecord) => async (request: Request<object, unknown, unknown>, reply: Response) => {
    const credential = bearerToken(request.headers.authorization);
    if (credential === undefined) return void reply.status(401).end();
    const nodeId = nodeIdOf(credential);
    const standing = await nodes.authenticate(nodeId, hashCredential(credential));
    if (standing === 'unknown') return void reply.status(401).end();
    if (standing === 'revoked') return void reply.status(403).end();
    return { nodeId, credential, draining: standing === 'draining' };
  };

/** What was refused keeps its status; anything else is worth the node's while to send again. */
function statusOf(error: unknown): number {
  if (error instanceof Refusal) return problems[error.slug].status;
  return error instanceof Error && 'status' in error && error.status === 400 ? 400 : 503;
}

const pathOf = (route: string): string => route.slice(route.indexOf(' ') + 1);
