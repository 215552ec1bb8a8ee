/**
 * The fleet protocol: JSON over HTTP between the control plane and the nodes that run browsers.
 *
 * Control plane to node: `nodeRoutes`, with the node's bearer token. Node to control plane (write-api, under `/internal/fleet`):
 * `controlRoutes`, with the same token. A node stores every `dispatch_id` and answers a repeat with the first run's answer
 * (waiting for it if necessary): nothing runs twice.
 */
import { Type, Timestamp, closed, nullable, oneOf, type Static } from '../schema.ts';
import { idSchema } from '../ids.ts';
import { EgressCapabilities, OperationName, failureCategories } from '../operations.ts';
import { largeBodyBytes } from '../route.ts';
import { liveOperations } from './operations.ts';
import { Geolocation } from '../resources/agent-session.ts';
import { DownloadEntry, UploadHandle, uploadLimits } from '../resources/live.ts';
import { DialledProxy } from '../resources/proxy.ts';
import { Challenge } from '../webhooks/envelope.ts';
import { profileSaveFailures } from '../webhooks/event-types.ts';

export const nodeRoutes = {
  create: 'POST /sessions',
  operate: 'POST /sessions/:id/operations',
  live: 'POST /sessions/:id/live',
  /** `PutFile` in the query, the content in the body. */
  putFile: 'PUT /sessions/:id/files',
  /** `name` in the query. Answers a `DownloadOutcome` in the header `outcomeHeader`, and the content in the body. */
  download: 'GET /sessions/:id/downloads/content',
  destroy: 'DELETE /sessions/:id',
  status: 'GET /status',
} as const;
/** Maximum bytes of a dispatch: the largest body of a request, beside its own fields. */
export const mostDispatchBytes = largeBodyBytes + 1024 * 1024;
export const controlRoutes = {
  register: 'POST /internal/fleet/register',
  heartbeat: 'POST /internal/fleet/heartbeat',
  report: 'POST /internal/fleet/reports',
  /**
   * The archive of the state that the session starts with, in the body. Aborts if the state cannot be opened. 404 if there is
   * none, or the session is not on this node.
   */
  fetchState: 'GET /internal/fleet/sessions/:id/state',
  /**
   * The archive of the session's state in the body; a `StateCensus` in the header `censusHeader`. Answers `SaveOutcome`; 404 if
   * the session is not on this node.
   */
  saveState: 'PUT /internal/fleet/sessions/:id/state',
} as const;

/**
 * For nodes that cannot be called from outside. The node asks write-api for an upgrade to `tunnelProtocol`, and
 * write-api calls the node over that connection. It is HTTP/2 with the roles reversed (the node is the server): each
 * stream is a CONNECT that carries one HTTP/1.1 connection with the node's routes.
 *
 * A node has a tunnel to each write-api process, but knows only their common address: it asks there again until each
 * of `HeartbeatReply.instances` has answered.
 */
export const tunnelRoutes = {
  /** Called by the node, with its credential. The answer names the process in the header `instanceHeader`. */
  open: 'GET /internal/fleet/tunnel',
  /**
   * Called by processes that hold no tunnels: an upgrade to one connection with a node. The node authenticates them
   * as on any other connection. 503 if there is no tunnel to the node.
   */
  connect: 'GET /internal/fleet/nodes/:id/connection',
} as const;
export const tunnelProtocol = 'fleet-tunnel';
export const instanceHeader = 'x-instance';

/** Routes that the gateway calls for participants of live view. A refusal is a status and a text. */
export const videoRoutes = {
  /** Called before a participant is forwarded to a node. Starts a browser if there is none. */
  join: 'POST /internal/video/join',
  /**
   * Called for the reason after a refused join. Answers as `join`, so that the node can be asked, too; `{}` if a join
   * would start a browser. Changes nothing.
   */
  check: 'POST /internal/video/check',
  /**
   * Called at intervals for a participant in a room. 401 ends the connection; else the answer is `{}`. Changes
   * nothing.
   */
  stay: 'POST /internal/video/stay',
} as const;
/** The participant's token. */
export const VideoJoin = closed({ token: Type.String({ minLength: 1, maxLength: 8_192 }) });
export type VideoJoin = Static<typeof VideoJoin>;
/** The address of the browser's node, and a token that it admits. */
export const VideoJoined = closed({ url: Type.String(), token: Type.String() });
export type VideoJoined = Static<typeof VideoJoined>;

/** The path of one of these routes. */
export const pathOf = (route: string): string => route.slice(route.indexOf(' ') + 1);

/**
 * Sent with a create: an opaque mark of the account, by which a node divides its resources among accounts. Equal for
 * sessions of one account, and reveals nothing else about it. A header instead of a field: nodes of earlier releases
 * refuse unknown fields and ignore unknown headers.
 */
export const tenantHeader = 'x-tenant';

/**
 * Sent with each call by a node: the time of sending, by the node's own clock (ISO 8601). A header for the same
 * reason.
 */
export const sentAtHeader = 'x-sent-at';

/** Sent with the heartbeats of a node that is being stopped, in digits: milliseconds until it ends its browsers at the latest. */
export const leavesInHeader = 'x-leaves-in';

/** JSON. */
export const censusHeader = 'x-census';
/**
 * `refused`: the state was not accepted and will not be, for the recorded reason. 400, 403 and 404 are final too; after any other
 * failure the node retries.
 */
export const SaveOutcome = closed({ outcome: oneOf(['saved', 'refused']) });
export type SaveOutcome = Static<typeof SaveOutcome>;

/**
 * How a dispatch failed. `page`: caused by the page. `timeout`: the condition or load did not occur within `timeout_ms`.
 * `unsupported`: this runtime lacks the operation. `unavailable`: a required part is missing (no search engine configured). In
 * these the session stays open. `driver`: the browser is gone or broken. `silent`: the browser did not answer, or could not be
 * stopped, within `timeout_ms` and the node's grace. The last two end the session.
 */
export const failureKinds = ['page', 'timeout', 'unsupported', 'unavailable', 'driver', 'silent'] as const;
export const longestReason = 1000;
export const DispatchFailure = closed({
  kind: oneOf(failureKinds),
  category: oneOf(failureCategories),
  /** For the client: a text of the service, without content of the page or typed values. */
  reason: Type.String({ maxLength: longestReason }),
});
export type DispatchFailure = Static<typeof DispatchFailure>;

/** The profile of a browser, whose state is saved if the session ends regularly. */
export const DispatchedProfile = closed({
  profile_id: idSchema('profile'),
  /** Whether a state is to be fetched by `controlRoutes.fetchState` before the browser starts. */
  has_state: Type.Boolean(),
  noise_seed: Type.String(),
});
export type DispatchedProfile = Static<typeof DispatchedProfile>;

export const CreateDispatch = closed({
  session_id: idSchema('session'),
  dispatch_id: Type.String(),
  archetype: Type.String(),
  /** The proxy of the browser's connections; absent for direct ones. */
  proxy: Type.Optional(DialledProxy),
  profile: Type.Optional(DispatchedProfile),
  /** Geolocation reported to pages. */
  geolocation: Type.Optional(Geolocation),
});
export type CreateDispatch = Static<typeof CreateDispatch>;
export const CreateOutcome = Type.Union([
  closed({ outcome: Type.Literal('succeeded'), egress_capabilities: nullable(EgressCapabilities) }),
  closed({ outcome: Type.Literal('failed'), failure: DispatchFailure }),
]);
export type CreateOutcome = Static<typeof CreateOutcome>;

export const OperationDispatch = closed({
  dispatch_id: Type.String(),
  operation: OperationName,
  /** The operation's request body, validated by the control plane, defaults filled in. */
  input: Type.Unknown(),
  timeout_ms: Type.Integer({ minimum: 1 }),
});
export type OperationDispatch = Static<typeof OperationDispatch>;
export const OperationOutcome = Type.Union([
  closed({ outcome: Type.Literal('succeeded'), result: Type.Unknown() }),
  closed({ outcome: Type.Literal('failed'), failure: DispatchFailure }),
]);
export type OperationOutcome = Static<typeof OperationOutcome>;

/** One of `liveSchemas`. Its outcome is an `OperationOutcome`. */
export const LiveDispatch = closed({
  dispatch_id: Type.String(),
  operation: oneOf(liveOperations),
  input: Type.Unknown(),
  timeout_ms: Type.Integer({ minimum: 1 }),
});
export type LiveDispatch = Static<typeof LiveDispatch>;

export const PutFile = closed({
  dispatch_id: Type.String(),
  name: Type.String({ minLength: 1, maxLength: 1000 }),
  mime: Type.String({ maxLength: 255 }),
  /** Size of the content in bytes. */
  size: Type.Integer({ minimum: 1, maximum: uploadLimits.file }),
});
export type PutFile = Static<typeof PutFile>;

const failedOutcome = closed({ outcome: Type.Literal('failed'), failure: DispatchFailure });
export const PutFileOutcome = Type.Union([
  closed({ outcome: Type.Literal('succeeded'), result: UploadHandle }),
  failedOutcome,
]);
export type PutFileOutcome = Static<typeof PutFileOutcome>;
export const DownloadOutcome = Type.Union([
  closed({ outcome: Type.Literal('succeeded'), result: DownloadEntry }),
  failedOutcome,
]);
export type DownloadOutcome = Static<typeof DownloadOutcome>;
/** JSON, percent-encoded. */
export const outcomeHeader = 'x-outcome';

export const NodeStatus = closed({
  driver: oneOf(['webkit', 'simulated']),
  /** Maximum concurrent sessions; the present number while its machine has no room for more. */
  capacity: Type.Integer({ minimum: 0 }),
  sessions: Type.Array(idSchema('session')),
  draining: Type.Boolean(),
});
export type NodeStatus = Static<typeof NodeStatus>;

/** Addresses of the installation's listeners, `host:port`, which no page may reach. A loopback host counts on every machine. */
const InternalAddresses = Type.Optional(Type.Array(Type.String({ maxLength: 300 }), { maxItems: 10_000 }));

/** A node's first call, admitted by the join token. From then on the node uses `credential`. */
export const Register = closed({
  name: Type.String({ minLength: 1, maxLength: 100 }),
  url: Type.String(),
  driver: oneOf(['webkit', 'simulated']),
  capacity: Type.Integer({ minimum: 1 }),
  /** The node's secret, created by it once and stored in its data directory; used in both directions. */
  credential: Type.String({ minLength: 32, maxLength: 200 }),
  /** Where clients of this node's browsers connect, and the signing secret of their tokens. */
  video: Type.Optional(
    closed({
      ws_url: Type.String({ maxLength: 2048 }),
      api_key: Type.String({ minLength: 1, maxLength: 200 }),
      api_secret: Type.String({ minLength: 1, maxLength: 500 }),
    }),
  ),
  /** Addresses of the node's machine. */
  internal: InternalAddresses,
  /** The node's id, if it registered before. */
  node_id: Type.Optional(idSchema('node')),
});
export type Register = Static<typeof Register>;
export const Registered = closed({
  node_id: idSchema('node'),
  heartbeat_ms: Type.Integer({ minimum: 1 }),
  internal: InternalAddresses,
});
export type Registered = Static<typeof Registered>;

export const Heartbeat = closed({
  node_id: idSchema('node'),
  url: Type.String(),
  status: NodeStatus,
  /** Sessions with people watching now. */
  watched: Type.Optional(Type.Array(idSchema('session'))),
  /** Addresses of the node's machine. */
  internal: InternalAddresses,
});
export type Heartbeat = Static<typeof Heartbeat>;
/**
 * Instructions to the node: end the browsers of these sessions (their streams have ended), and accept no new ones while draining.
 */
export const HeartbeatReply = closed({
  destroy: Type.Array(idSchema('session')),
  draining: Type.Boolean(),
  internal: InternalAddresses,
  /** Write-api processes that are running, for a node that has tunnels. */
  instances: Type.Optional(Type.Array(Type.String(), { maxItems: 1000 })),
});
export type HeartbeatReply = Static<typeof HeartbeatReply>;

const report = <const K extends string, P extends Parameters<typeof Type.Object>[0]>(kind: K, facts: P) =>
  closed({
    kind: Type.Literal(kind),
    report_id: Type.String(),
    session_id: idSchema('session'),
    ...facts,
    at: Timestamp,
  });

/** Sent at least once, with an id: the control plane makes at most one event of each. */
export const Report = Type.Union([
  report('egress_capabilities', { capabilities: EgressCapabilities }),
  /** The browser of a session died unexpectedly. */
  report('session_died', {}),
  /** The active page shows a challenge. */
  report('challenge_detected', {
    challenge_id: Type.String({ minLength: 1, maxLength: 100 }),
    challenge: Challenge,
  }),
  /** At the end of a session: its state was not saved; the stored one stays. */
  report('profile_save_failed', {
    profile_id: idSchema('profile'),
    reason: oneOf(profileSaveFailures),
    /** A text of the service, without content of the page. */
    detail: Type.String({ maxLength: 1000 }),
  }),
]);
export type Report = Static<typeof Report>;
