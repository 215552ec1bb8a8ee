import { SignJWT } from 'jose';
import type { Logger } from 'pino';
import { uuidOf, type AgentSessionId, type LinkId, type NodeId } from '../../contracts/ids.ts';
import { refuse } from '../../contracts/problems.ts';
import {
  presentAgentSession,
  type AgentSession,
  type GuiControlKey,
  type VideoToken,
} from '../../contracts/resources/agent-session.ts';
import type { LinkRight } from '../../contracts/resources/link.ts';
import { exists } from '../../domain/agent-session/state.ts';
import { session } from '../../domain/session/session.ts';
import { isLive } from '../../domain/session/state.ts';
import type { NodeVideo, NodeVideos } from '../../infra/fleet/control-plane/video.ts';
import { bindPorts } from '../engine/bind-ports.ts';
import type { CommandPorts } from '../engine/runner.ts';
import { load } from './find.ts';
import type { OwnedAgentSession } from './ports.ts';

export interface VideoPorts extends CommandPorts {
  readonly videos: Pick<NodeVideos, 'find'>;
  readonly logger: Logger;
}

/** The grants in a video token. */
type Watched = Pick<AgentSession, 'id' | 'account_id' | 'service_session_id'>;

const tokenSeconds = 24 * 3600;

/** A token to watch the browser with; refused unless the agent session is active. */
async function videoToken(ports: VideoPorts, found: OwnedAgentSession): Promise<VideoToken> {
  const watched = await watchable(ports, found);
  return tokenFor(watched, await requireVideo(ports, watched), ports.clock.now());
}

/**
 * The same for the answer to a creation, which succeeds without video too. The token is of the time of the creation, and so the same
 * for an answer that is given again.
 */
async function videoFor(ports: VideoPorts, created: AgentSession): Promise<VideoToken | undefined> {
  try {
    const video = await videoOf(ports, created);
    return video && (await tokenFor(created, video, new Date(created.created_at)));
  } catch (error) {
    ports.logger.warn({ err: error, agent_session: created.id }, 'No video token could be made.');
    return undefined;
  }
}

/** A key to control the browser with over the video connection; refused unless the agent session is active. */
async function guiControlKey(ports: VideoPorts, found: OwnedAgentSession): Promise<GuiControlKey> {
  const watched = await watchable(ports, found);
  const video = await requireVideo(ports, watched);
  const scope = 'gui_control';
  const { token: key, expires_at } = await sign(watched, video, ports.clock.now(), { scope });
  return { key, expires_at, agent_session_id: watched.id, scope, ws_url: video.wsUrl };
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
  const guest = { identity: linkId, canPublishData: right === 'control', until: new Date(expiresAt) };
  const { token, expires_at } = await sign(watched, video, ports.clock.now(), { right, link: linkId }, guest);
  return { ws_url: video.wsUrl, room: watched.id, token, participant_identity: linkId, expires_at };
}

async function watchable(ports: VideoPorts, { id }: Pick<OwnedAgentSession, 'id'>): Promise<Watched> {
  const state = await load(ports, id);
  if (!exists(state)) throw refuse('not-found');
  if (state.status !== 'active') throw refuse('forbidden', `The agent session is ${state.status}.`);
  return presentAgentSession(state);
}

async function requireVideo(ports: VideoPorts, watched: Watched): Promise<NodeVideo> {
  const video = await videoOf(ports, watched);
  if (video) return video;
  throw refuse('feature-unavailable', 'No node of this deployment shows video of the browser.');
}

/** Of the node that runs the browser or, as long as there is no browser, of one that may come to run it. */
const videoOf = async (ports: VideoPorts, watched: Watched): Promise<NodeVideo | undefined> =>
  ports.videos.find(await nodeOf(ports, watched));

async function nodeOf({ runner }: VideoPorts, { service_session_id }: Watched): Promise<NodeId | undefined> {
  if (service_session_id === null) return undefined;
  const { state } = await runner.load(session, uuidOf(service_session_id));
  return isLive(state) ? (state.nodeId ?? undefined) : undefined;
}

async function tokenFor(watched: Watched, video: NodeVideo, from: Date): Promise<VideoToken> {
  const { token, expires_at } = await sign(watched, video, from, {});
  const participant_identity = identityOf(watched);
  return { ws_url: video.wsUrl, room: watched.id, token, participant_identity, expires_at };
}

/** The same for all joins of an account, so that the last one takes the place of those before. */
const identityOf = ({ account_id }: Watched): string => `customer-${account_id}`;

interface Guest {
  readonly identity: string;
  readonly canPublishData: boolean;
  readonly until: Date;
}

/** A JWT as LiveKit takes it: to see everything in the one room, to send data unless it is to watch with, and to publish nothing. */
async function sign(
  watched: Watched,
  { api_key, api_secret }: NodeVideo,
  from: Date,
  claims: Readonly<Record<string, string>>,
  guest?: Guest,
) {
  const begin = Math.floor(from.getTime() / 1000);
  const end = guest ? Math.floor(guest.until.getTime() / 1000) : begin + tokenSeconds;
  const canPublishData = guest?.canPublishData ?? true;
  const grants = { roomJoin: true, canSubscribe: true, canPublish: false, canPublishData };
  const token = await new SignJWT({ ...claims, video: { room: watched.id, ...grants } })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuer(api_key)
    .setSubject(guest?.identity ?? identityOf(watched))
    .setNotBefore(begin)
    .setExpirationTime(end)
    .sign(new TextEncoder().encode(api_secret));
  return { token, expires_at: new Date(end * 1000).toISOString() };
}

/** Watching and controlling the browsers of agent sessions. Tokens contain only ids. */
export const createAgentVideo = (ports: VideoPorts) =>
  bindPorts(ports, { videoToken, videoFor, videoForLink, guiControlKey });

export type AgentVideo = ReturnType<typeof createAgentVideo>;
