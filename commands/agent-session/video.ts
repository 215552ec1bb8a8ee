import { decodeJwt, errors, jwtVerify, SignJWT, type JWTPayload } from 'jose';
import type { Logger } from 'pino';
import {
  parseId,
  uuidOf,
  type AccountId,
  type AgentSessionId,
  type LinkId,
  type NodeId,
  type SessionId,
} from '../../contracts/ids.ts';
import { refuse } from '../../contracts/problems.ts';
import {
  presentAgentSession,
  type AgentSession,
  type GuiControlKey,
  type VideoToken,
} from '../../contracts/resources/agent-session.ts';
import type { LinkRight } from '../../contracts/resources/link.ts';
import type { SessionVideoToken } from '../../contracts/resources/session-video.ts';
import { deadLink } from '../../domain/agent-session/links.ts';
import { exists, liveLinks } from '../../domain/agent-session/state.ts';
import { session } from '../../domain/session/session.ts';
import { isLive } from '../../domain/session/state.ts';
import type { NodeRegistry } from '../../infra/fleet/control-plane/registry.ts';
import { isOwnVideo, type NodeVideo, type NodeVideos } from '../../infra/fleet/control-plane/video.ts';
import { bindPorts } from '../engine/bind-ports.ts';
import { now, type Caller } from '../engine/context.ts';
import type { CommandPorts } from '../engine/runner.ts';
import type { OwnedSession } from '../session/index.ts';
import { load } from './find.ts';
import type { OwnedAgentSession } from './ports.ts';

export interface VideoPorts extends CommandPorts {
  readonly videos: Pick<NodeVideos, 'find'>;
  readonly registry: Pick<NodeRegistry, 'address'>;
  readonly logger: Logger;
}

/** What is to be watched. */
interface Watched {
  /** The agent session, or the session where there is none. */
  readonly room: string;
  readonly session: SessionId | null;
}

/** Who watches: a person's own account, so that the newest join of the same person takes the place of those before. */
type Viewer = Pick<Caller, 'actorId'>;

const tokenSeconds = 24 * 3600;
/** Of a token for a node, which is used at once. */
const admissionSeconds = 60;

/** A token to watch the browser with; refused unless the agent session is active. */
async function videoToken(ports: VideoPorts, found: OwnedAgentSession, viewer: Viewer): Promise<VideoToken> {
  const watched = await watchable(ports, found);
  const { token, ...shown } = await tokenFor(ports, watched, viewer.actorId, ports.clock.now());
  return { ...shown, room: found.id, token };
}

/** A token to watch the browser of a session with, and nothing else; refused with `session-destroyed` once it has ended. */
async function sessionVideoToken(
  ports: VideoPorts,
  { id }: OwnedSession,
  viewer: Viewer,
): Promise<SessionVideoToken> {
  const { state } = await ports.runner.load(session, uuidOf(id));
  if (!isLive(state)) throw refuse('session-destroyed');
  const watched = { room: id, session: id };
  const claims = { right: 'watch' };
  const { token, ...shown } = await tokenFor(ports, watched, viewer.actorId, ports.clock.now(), claims);
  return { ...shown, room: id, token };
}

/**
 * The same for the answer to a creation, which succeeds without video too. The token is of the time of the creation, and so the same
 * for an answer that is given again.
 */
async function videoFor(ports: VideoPorts, created: AgentSession): Promise<VideoToken | undefined> {
  const { id, service_session_id, account_id, created_by_user_id } = created;
  try {
    const watched = { room: id, session: service_session_id };
    const video = await videoOf(ports, watched);
    if (!video) return undefined;
    const signed = await sign(
      watched,
      video,
      identityOf(created_by_user_id ?? account_id),
      new Date(created.created_at),
    );
    return { ...signed, ws_url: video.wsUrl, room: id };
  } catch (error) {
    ports.logger.warn({ err: error, agent_session: id }, 'No video token could be made.');
    return undefined;
  }
}

/** A key to control the browser with over the video connection; refused unless the agent session is active. */
async function guiControlKey(
  ports: VideoPorts,
  found: OwnedAgentSession,
  viewer: Viewer,
): Promise<GuiControlKey> {
  const watched = await watchable(ports, found);
  const scope = 'gui_control';
  const signed = await tokenFor(ports, watched, viewer.actorId, ports.clock.now(), { scope });
  const { token: key, ws_url, expires_at } = signed;
  return { key, expires_at, agent_session_id: found.id, scope, ws_url };
}

/** What a link lets whoever has it do, and until when. */
export interface LinkedView {
  readonly linkId: LinkId;
  readonly right: LinkRight;
  readonly expiresAt: string;
}

/** A token for whoever came by a link: under the link's own identity, with its right, and no longer than it is good. */
async function videoForLink(
  ports: VideoPorts,
  id: AgentSessionId,
  { linkId, right, expiresAt }: LinkedView,
): Promise<VideoToken> {
  const watched = await watchable(ports, { id });
  const video = await requireVideo(ports, watched);
  const until = new Date(expiresAt);
  const grant = { claims: { right, link: linkId }, canPublishData: right === 'control', until };
  const signed = await sign(watched, video, linkId, ports.clock.now(), grant);
  return { ...signed, ws_url: video.wsUrl, room: id };
}

/** Where a participant joins, and the token by which the node there admits it. */
export interface Joining {
  /** Of the node, as the gateway reaches it. */
  readonly url: string;
  readonly token: string;
}

/**
 * Admits the holder of a token to the node that runs the browser now, which may be another one than the token is of. Refused with
 * `unauthorized` for a token that is no good, `forbidden` for an agent session that is not active, and `not-found` without a browser.
 */
async function join(ports: VideoPorts, token: string): Promise<Joining> {
  const claims = await verified(ports, token);
  const watched = await watchedIn(ports, claims);
  const node = watched.session === null ? undefined : await nodeOf(ports, watched);
  if (watched.session === null || node === undefined)
    throw refuse('not-found', 'There is no browser to watch yet, or any more.');
  const [video, address] = await Promise.all([ports.videos.find(node), ports.registry.address(node)]);
  if (!video || !address || !isOwnVideo(node, video))
    throw refuse('feature-unavailable', 'The node of the browser shows no video of it.');
  const { right = 'control', link } = claims;
  const admission = { session: watched.session, right, ...(link !== undefined && { link }) };
  const from = ports.clock.now();
  const until = new Date(from.getTime() + admissionSeconds * 1000);
  const signed = await sign(watched, video, claims.sub, from, { claims: admission, until });
  return { url: address.url, token: signed.token };
}

interface Claims {
  readonly sub: string;
  readonly video: { readonly room: string };
  readonly right?: 'control' | 'watch';
  readonly link?: string;
}

const isClaims = (payload: JWTPayload): payload is JWTPayload & Claims =>
  typeof payload.sub === 'string' &&
  typeof payload.video === 'object' &&
  payload.video !== null &&
  'room' in payload.video &&
  typeof payload.video.room === 'string' &&
  (payload.right === undefined || payload.right === 'control' || payload.right === 'watch') &&
  (payload.link === undefined || typeof payload.link === 'string');

/** Of a token that a node of this deployment was named in, and that was signed with its secret. */
async function verified({ videos, clock }: VideoPorts, token: string): Promise<Claims> {
  try {
    const node = parseId('node', decodeJwt(token).iss ?? '');
    const video = node && (await videos.find(node));
    if (node && video && isOwnVideo(node, video)) {
      const { payload } = await jwtVerify(token, new TextEncoder().encode(video.api_secret), {
        algorithms: ['HS256'],
        issuer: node,
        requiredClaims: ['exp'],
        currentDate: clock.now(),
      });
      if (isClaims(payload)) return payload;
    }
  } catch (error) {
    if (!(error instanceof errors.JOSEError)) throw error;
  }
  throw refuse(
    'unauthorized',
    'The video token is malformed, expired, or not of this deployment. Ask for a new one.',
  );
}

async function watchedIn(ports: VideoPorts, { video: { room }, link }: Claims): Promise<Watched> {
  const agent = parseId('agentSession', room);
  if (agent && link !== undefined) await assertLinkLives(ports, agent, link);
  if (agent) return watchable(ports, { id: agent });
  const id = parseId('session', room);
  if (!id) throw refuse('not-found');
  return { room: id, session: id };
}

/** A link that was taken back takes its tokens with it. */
async function assertLinkLives(ports: VideoPorts, id: AgentSessionId, link: string): Promise<void> {
  const state = await load(ports, id);
  const isLiving = exists(state) && liveLinks(state, now(ports)).some(({ linkId }) => linkId === link);
  if (!isLiving) throw deadLink();
}

async function watchable(ports: VideoPorts, { id }: Pick<OwnedAgentSession, 'id'>): Promise<Watched> {
  const state = await load(ports, id);
  if (!exists(state)) throw refuse('not-found');
  if (state.status !== 'active') throw refuse('forbidden', `The agent session is ${state.status}.`);
  return { room: id, session: presentAgentSession(state).service_session_id };
}

/** Of the node that runs the browser or, as long as there is no browser, of one that may come to run it. */
const videoOf = async (ports: VideoPorts, watched: Watched): Promise<NodeVideo | undefined> =>
  ports.videos.find(await nodeOf(ports, watched));

async function nodeOf({ runner }: VideoPorts, watched: Watched): Promise<NodeId | undefined> {
  if (watched.session === null) return undefined;
  const { state } = await runner.load(session, uuidOf(watched.session));
  return isLive(state) ? (state.nodeId ?? undefined) : undefined;
}

async function tokenFor(
  ports: VideoPorts,
  watched: Watched,
  viewer: AccountId,
  from: Date,
  claims: Readonly<Record<string, string>> = {},
) {
  const video = await requireVideo(ports, watched);
  return {
    ws_url: video.wsUrl,
    ...(await sign(watched, video, identityOf(uuidOf(viewer)), from, { claims })),
  };
}

async function requireVideo(ports: VideoPorts, watched: Watched): Promise<NodeVideo> {
  const video = await videoOf(ports, watched);
  if (video) return video;
  throw refuse('feature-unavailable', 'No node of this deployment shows video of the browser.');
}

/** The same for all joins of an account, so that the last one takes the place of those before. */
const identityOf = (accountUuid: string): string => `customer-${accountUuid}`;

/** What a token says beyond whose it is. */
interface Grant {
  readonly claims?: Readonly<Record<string, string>>;
  readonly canPublishData?: boolean;
  /** By default a day from its begin. */
  readonly until?: Date;
}

/** A JWT as LiveKit takes it: to see everything in the one room, to send data unless it is to watch with, and to publish nothing. */
async function sign(
  { room }: Watched,
  { api_key, api_secret }: NodeVideo,
  participant_identity: string,
  from: Date,
  { claims = {}, canPublishData = true, until }: Grant = {},
) {
  const begin = Math.floor(from.getTime() / 1000);
  const end = until ? Math.floor(until.getTime() / 1000) : begin + tokenSeconds;
  const grants = { roomJoin: true, canSubscribe: true, canPublish: false, canPublishData };
  const token = await new SignJWT({ ...claims, video: { room, ...grants } })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuer(api_key)
    .setSubject(participant_identity)
    .setNotBefore(begin)
    .setExpirationTime(end)
    .sign(new TextEncoder().encode(api_secret));
  return { token, participant_identity, expires_at: new Date(end * 1000).toISOString() };
}

/** Watching and controlling the browsers of sessions and agent sessions. Tokens contain only ids. */
export const createAgentVideo = (ports: VideoPorts) =>
  bindPorts(ports, { videoToken, sessionVideoToken, videoFor, videoForLink, guiControlKey, join });

export type AgentVideo = ReturnType<typeof createAgentVideo>;
