/**
 * The fleet protocol: JSON over HTTP between the control plane and the nodes that run browsers.
 *
 * Control plane to node, bearer token of the node (`nodeRoutes`). Node to control plane (write-api, under
 * `/internal/fleet`), same token (`controlRoutes`). A node remembers every `dispatch_id` it has seen and answers a
 * repeat with the first run's answer (waiting for it when still running): nothing runs twice.
 */
import { Type, Timestamp, closed, nullable, oneOf, type Static } from '../schema.ts';
import { idSchema } from '../ids.ts';
import { EgressCapabilities, OperationName, failureCategories } from '../operations.ts';
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
  /** `PutFile` in the query, the content as the body. */
  putFile: 'PUT /sessions/:id/files',
  /** `name` in the query. A `DownloadOutcome` in the header `outcomeHeader`, the content as the body. */
  download: 'GET /sessions/:id/downloads/content',
  destroy: 'DELETE /sessions/:id',
  status: 'GET /status',
} as const;
export const controlRoutes = {
  register: 'POST /internal/fleet/register',
  heartbeat: 'POST /internal/fleet/heartbeat',
  report: 'POST /internal/fleet/reports',
  /**
   * The archive of the state that the session is to start with, as the body. Breaks off where the state cannot be opened. 404 when
   * there is none, or the session is not this node's.
   */
  fetchState: 'GET /internal/fleet/sessions/:id/state',
  /** The archive of what the session has left, as the body; a `StateCensus` in the header `censusHeader`. Answers `SaveOutcome`; 404 when the session is not this node's. */
  saveState: 'PUT /internal/fleet/sessions/:id/state',
} as const;

/** What the gateway asks for participants of live view. A refusal is a status and a text. */
export const videoRoutes = {
  /** Before it passes one on to a node; a browser is started where there is none. */
  join: 'POST /internal/video/join',
  /** Why one was refused: as `join`, so that the node can be asked, too; `{}` where a browser would be started. Changes nothing. */
  check: 'POST /internal/video/check',
} as const;
/** The token that the participant came with. */
export const VideoJoin = closed({ token: Type.String({ minLength: 1, maxLength: 8_192 }) });
export type VideoJoin = Static<typeof VideoJoin>;
/** Where the node of its browser is, and the token by which that node admits it. */
export const VideoJoined = closed({ url: Type.String(), token: Type.String() });
export type VideoJoined = Static<typeof VideoJoined>;

/** Of one of these routes, without its method. */
export const pathOf = (route: string): string => route.slice(route.indexOf(' ') + 1);

/**
 * With a create: an opaque mark of the account, by which a node shares resources between accounts. Equal for sessions
 * of one account, and reveals nothing else about it. A header and not a field: nodes of earlier releases refuse unknown
 * fields and ignore unknown headers.
 */
export const tenantHeader = 'x-tenant';

/** JSON. */
export const censusHeader = 'x-census';
/**
 * `refused`: the state was not taken and will not be, for the reason that is recorded. 400, 403 and 404 are final too; after any other
 * failure the node retries.
 */
export const SaveOutcome = closed({ outcome: oneOf(['saved', 'refused']) });
export type SaveOutcome = Static<typeof SaveOutcome>;

/**
 * How a dispatch failed. `page`: the page's doing, the session lives on. `timeout`: the condition or load did not come
 * within `timeout_ms`, the session lives on. `unsupported`: this runtime has no such operation, the session lives on.
 * `unavailable`: nothing to run it with (no search engine configured). `driver`: the browser is gone or broken. `silent`:
 * the browser did not answer, or could not be stopped, within `timeout_ms` and the node's grace. The last two end the session.
 */
export const failureKinds = ['page', 'timeout', 'unsupported', 'unavailable', 'driver', 'silent'] as const;
export const DispatchFailure = closed({
  kind: oneOf(failureKinds),
  category: oneOf(failureCategories),
  /** For the client: our own words, nothing of the page's content, never a typed value. */
  reason: Type.String({ maxLength: 1000 }),
});
export type DispatchFailure = Static<typeof DispatchFailure>;

/** The profile that a browser is started with, and whose state it leaves when it ends well. */
export const DispatchedProfile = closed({
  profile_id: idSchema('profile'),
  /** Whether there is a state to be fetched by `controlRoutes.fetchState` before the browser starts. */
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
  /** Bytes of the content. */
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
  /** Sessions that it runs at once: as many as it has now, while its machine has no room for more. */
  capacity: Type.Integer({ minimum: 0 }),
  sessions: Type.Array(idSchema('session')),
  draining: Type.Boolean(),
});
export type NodeStatus = Static<typeof NodeStatus>;

/** Where parts of the installation listen, as `host:port`: what no page may reach. A host on loopback is on every machine. */
const InternalAddresses = Type.Optional(Type.Array(Type.String({ maxLength: 300 }), { maxItems: 10_000 }));

/** The first call of a node. The join token admits it; the answer's credential is its own from then on. */
export const Register = closed({
  name: Type.String({ minLength: 1, maxLength: 100 }),
  url: Type.String(),
  driver: oneOf(['webkit', 'simulated']),
  capacity: Type.Integer({ minimum: 1 }),
  /** The node's own secret, made by it once and kept in its data directory; both directions use it. */
  credential: Type.String({ minLength: 32, maxLength: 200 }),
  /** Where clients of this node's browsers meet, and what tokens for that are signed with. */
  video: Type.Optional(
    closed({
      ws_url: Type.String({ maxLength: 2048 }),
      api_key: Type.String({ minLength: 1, maxLength: 200 }),
      api_secret: Type.String({ minLength: 1, maxLength: 500 }),
    }),
  ),
  /** Those of the node's machine. */
  internal: InternalAddresses,
  /** Present when this node registered before: it stays the same node. */
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
  /** Sessions whose browsers people watch just now. */
  watched: Type.Optional(Type.Array(idSchema('session'))),
  /** Those of the node's own machine. */
  internal: InternalAddresses,
});
export type Heartbeat = Static<typeof Heartbeat>;
/** What the node must do: end these sessions' browsers (their streams have ended), take nothing new when draining. */
export const HeartbeatReply = closed({
  destroy: Type.Array(idSchema('session')),
  draining: Type.Boolean(),
  internal: InternalAddresses,
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

/** Sent at least once, with an id of its own: the control plane turns each into at most one event. */
export const Report = Type.Union([
  report('egress_capabilities', { capabilities: EgressCapabilities }),
  /** The browser of a session died without being asked to. */
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
