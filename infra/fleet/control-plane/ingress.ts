import type { IncomingHttpHeaders } from 'node:http';
import express, { type NextFunction, type Request, type Response, type Router } from 'express';
import type { Logger } from 'pino';
import {
  Heartbeat,
  Register,
  Report,
  controlRoutes,
  leavesInHeader,
  pathOf,
  sentAtHeader,
  type HeartbeatReply,
  type Registered,
} from '../../../contracts/fleet/protocol.ts';
import type { NodeId, SessionId } from '../../../contracts/ids.ts';
import { bearerToken, sameSecret } from '../../platform/presented-secrets.ts';
import { hashCredential, nodeIdOf } from './credential.ts';
import { Refusal, problems } from '../../../contracts/problems.ts';
import type { NodeRegistry } from './registry.ts';
import { watchForCopies } from './same-credential.ts';
import { roomRoutes } from '../../../contracts/fleet/room.ts';
import { shape } from '../shape.ts';
import { tunnelUrl } from '../tunnel/address.ts';
import { askRoom, followRoom, type Rooms } from './rooms.ts';
import { sendState, takeState, type SessionStates } from './states.ts';
import type { NodeVideos } from './video.ts';

/** The ingress's access to the recorded nodes. */
export interface NodeRecord {
  /** Admits a node, new or known; throws a `Refusal` if it may not join. */
  register(node: { nodeId: NodeId; name: string; credentialHash: string }): Promise<void>;
  /** `unknown` if no such node has registered with this credential. Called for every call of a node. */
  authenticate(node: NodeId, credentialHash: string): Promise<'unknown' | 'active' | 'draining' | 'revoked'>;
}

export interface FleetIngressOptions {
  readonly registry: NodeRegistry;
  /** Admits a node that is not recorded yet. */
  readonly joinToken: string;
  /** Milliseconds between two heartbeats of a node. */
  readonly heartbeatMs: number;
  /** Addresses, as `host:port`, on which parts of the installation other than nodes listen. */
  readonly internal?: readonly string[];
  readonly logger: Logger;
  readonly nodes: NodeRecord;
  /** The sessions that a node must end: their streams have ended, or name another node. */
  readonly sessionsToDestroy: (node: NodeId, sessions: readonly SessionId[]) => Promise<readonly SessionId[]>;
  /** Called at each heartbeat with the sessions whose browsers people watch. */
  readonly onWatched?: (sessions: readonly SessionId[]) => void;
  /** Called at least once per `report_id`. Must reject if the report was not recorded, so that it is sent again. */
  readonly onReport: (node: NodeId, report: Report) => Promise<void>;
  /** Stores how a node shows its browsers; without it nodes show none. */
  readonly videos?: Pick<NodeVideos, 'keep'>;
  /** Without it, nodes neither fetch nor save states. */
  readonly states?: SessionStates;
  /** Without it, nodes do not get the state of control, so no participant can request control. */
  readonly rooms?: Rooms;
}

const isRegister = shape(Register);
const isHeartbeat = shape(Heartbeat);
const isReport = shape(Report);

/** The routes that nodes call: `controlRoutes`. Refusals are bare statuses, because nodes only read the status. */
export function createFleetIngress(options: FleetIngressOptions): Router {
  const { logger, nodes, states, rooms } = options;
  const router = express.Router();
  const json = express.json({ limit: '1mb' });
  router.post(pathOf(controlRoutes.register), json, answered(registration(options)));
  router.post(pathOf(controlRoutes.heartbeat), json, answered(heartbeat(options)));
  router.post(pathOf(controlRoutes.report), json, answered(admitted(nodes, report(options))));
  if (states) {
    router.get(pathOf(controlRoutes.fetchState), forAdmitted(nodes, sendState(states)));
    router.put(pathOf(controlRoutes.saveState), forAdmitted(nodes, takeState(states)));
  }
  if (rooms) {
    router.get(pathOf(roomRoutes.follow), forAdmitted(nodes, followRoom(rooms)));
    router.post(pathOf(roomRoutes.ask), json, forAdmitted(nodes, askRoom(rooms)));
  }
  router.use((error: unknown, _request: Request, reply: Response, _next: NextFunction) => {
    const status = statusOf(error);
    if (status === 503) logger.error({ err: error }, 'A call of a node could not be served.');
    // A state that is being sent can only be aborted.
    if (reply.headersSent) reply.destroy();
    else reply.status(status).end();
  });
  return router;
}

/** A body, or a bare status. */
type Answer = Registered | HeartbeatReply | number;
type Call = Request<object, unknown, unknown>;

const answered =
  (handle: (call: Call) => Promise<Answer>) =>
  async (call: Call, reply: Response): Promise<void> => {
    const answer = await handle(call);
    if (typeof answer === 'number') reply.status(answer).end();
    else reply.json(answer);
  };

interface AdmittedNode {
  readonly nodeId: NodeId;
  readonly credential: string;
  readonly draining: boolean;
}

/** The node is identified by its credential and must be recorded: no body can act for another node. */
export async function admit(
  nodes: Pick<NodeRecord, 'authenticate'>,
  { authorization }: IncomingHttpHeaders,
): Promise<AdmittedNode | 401 | 403> {
  const credential = bearerToken(authorization);
  if (credential === undefined) return 401;
  const nodeId = nodeIdOf(credential);
  const status = await nodes.authenticate(nodeId, hashCredential(credential));
  if (status === 'unknown') return 401;
  if (status === 'revoked') return 403;
  return { nodeId, credential, draining: status === 'draining' };
}

const admitted =
  (
    nodes: NodeRecord,
    handle: (node: AdmittedNode, body: unknown, headers: IncomingHttpHeaders) => Promise<Answer>,
  ) =>
  async ({ headers, body }: Call): Promise<Answer> => {
    const node = await admit(nodes, headers);
    return typeof node === 'number' ? node : handle(node, body, headers);
  };

/** For bodies that are streams, in either direction. */
const forAdmitted =
  (
    nodes: NodeRecord,
    handle: (node: NodeId, request: Request<{ id: string }>, reply: Response) => Promise<void>,
  ) =>
  async (request: Request<{ id: string }>, reply: Response): Promise<void> => {
    const node = await admit(nodes, request.headers);
    if (typeof node === 'number') reply.status(node).end();
    else await handle(node.nodeId, request, reply);
  };

/** Addresses of the whole installation. Empty for nodes of earlier releases, which send none and would not understand them. */
const internalFor = async (
  { internal: said }: Pick<Heartbeat, 'internal'>,
  { registry, internal: own = [] }: FleetIngressOptions,
): Promise<Pick<Registered, 'internal'>> =>
  said === undefined ? {} : { internal: [...own, ...(await registry.internal())] };

const registration =
  (options: FleetIngressOptions) =>
  async ({ headers, body }: Call): Promise<Answer> => {
    const { registry, joinToken, heartbeatMs, nodes, videos } = options;
    const token = bearerToken(headers.authorization);
    if (token === undefined || !sameSecret(token, joinToken)) return 401;
    if (!isRegister.is(body)) return 400;
    const { name, url, driver, capacity, credential, video, internal } = body;
    const nodeId = nodeIdOf(credential);
    const credentialHash = hashCredential(credential);
    await nodes.register({ nodeId, name, credentialHash });
    await videos?.keep(nodeId, video);
    const draining = (await nodes.authenticate(nodeId, credentialHash)) !== 'active';
    const status = { driver, capacity, sessions: [], draining };
    await registry.heartbeat({ node_id: nodeId, url, status, ...(internal && { internal }) }, credential);
    return { node_id: nodeId, heartbeat_ms: heartbeatMs, ...(await internalFor(body, options)) };
  };

const heartbeat = (options: FleetIngressOptions) => {
  const taken = admitted(options.nodes, recorded(options));
  return async (call: Call): Promise<Answer> => {
    const answer = await taken(call);
    return answer === 403 ? expelled(options, call) : answer;
  };
};

/** A revoked node gets no new sessions, and must end its own. */
async function expelled({ registry }: FleetIngressOptions, { headers, body }: Call): Promise<Answer> {
  await registry.forget(nodeIdOf(bearerToken(headers.authorization) ?? ''));
  return isHeartbeat.is(body) ? { destroy: [...body.status.sessions], draining: true } : 400;
}

const recorded = (options: FleetIngressOptions) => {
  const reported = watchForCopies(options.logger);
  return async (node: AdmittedNode, body: unknown, headers: IncomingHttpHeaders): Promise<Answer> => {
    const { registry, sessionsToDestroy } = options;
    if (!isHeartbeat.is(body) || body.node_id !== node.nodeId) return 400;
    const draining = node.draining || body.status.draining;
    const beat = { ...body, status: { ...body.status, draining } };
    const times = [timeIn(headers), leavesIn(headers)] as const;
    reported(node.nodeId, body.url, await registry.heartbeat(beat, node.credential, ...times));
    const { sessions } = body.status;
    options.onWatched?.((body.watched ?? []).filter((each) => sessions.includes(each)));
    const destroy = await sessionsToDestroy(node.nodeId, sessions);
    return {
      ...{ destroy: [...destroy], draining: node.draining },
      ...(await internalFor(body, options)),
      ...(body.url === tunnelUrl(node.nodeId) && { instances: [...(await registry.instances())] }),
    };
  };
};

/** Undefined for nodes of earlier releases, which send none. */
function timeIn({ [sentAtHeader]: sent }: IncomingHttpHeaders): Date | undefined {
  const text = String(sent);
  return Number.isNaN(Date.parse(text)) ? undefined : new Date(text);
}

/** Undefined unless the node is being stopped, and for nodes of earlier releases. */
const leavesIn = ({ [leavesInHeader]: said }: IncomingHttpHeaders): number | undefined =>
  typeof said === 'string' && /^\d{1,10}$/.test(said) ? Number(said) : undefined;

const report =
  ({ onReport }: FleetIngressOptions) =>
  async (node: AdmittedNode, body: unknown): Promise<Answer> => {
    if (!isReport.is(body)) return 400;
    await onReport(node.nodeId, body);
    return 204;
  };

/** A refusal keeps its status; the status of any other error makes the node retry. */
function statusOf(error: unknown): number {
  if (error instanceof Refusal) return problems[error.slug].status;
  return error instanceof Error && 'status' in error && error.status === 400 ? 400 : 503;
}
