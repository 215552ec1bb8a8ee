import { SignJWT } from 'jose';
import type { Logger } from 'pino';
import { toId, uuidOf, type NodeId } from '../../contracts/ids.ts';
import { refuse } from '../../contracts/problems.ts';
import type { AgentSession, GuiControlKey, VideoToken } from '../../contracts/resources/agent-session.ts';
import { exists, type Browser, type ExistingAgentSession } from '../../domain/agent-session/state.ts';
import { session } from '../../domain/session/session.ts';
import { isLive } from '../../domain/session/state.ts';
import type { NodeVideo, NodeVideos } from '../../infra/fleet/control-plane/video.ts';
import type { Clock } from '../../infra/platform/clock.ts';
import { bindPorts } from '../engine/bind-ports.ts';
import type { Runner } from '../engine/runner.ts';
import { load } from './find.ts';
import type { OwnedAgentSession } from './ports.ts';

export interface VideoPorts {
  readonly runner: Runner;
  readonly clock: Clock;
  readonly videos: Pick<NodeVideos, 'find'>;
  readonly logger: Logger;
}

/** What says whose video a token is for. */
interface Watched extends Pick<ExistingAgentSession, 'agentSessionId' | 'accountId'> {
  readonly browser: Pick<Browser, 'sessionId'> | null;
}

const tokenSeconds = 24 * 3600;

/** A token to watch the browser with; refused unless the agent session is active. */
async function videoToken(ports: VideoPorts, found: OwnedAgentSession): Promise<VideoToken> {
  const state = await watchable(ports, found);
  return tokenFor(state, await requireVideo(ports, state), ports.clock.now());
}

/**
 * The same for the answer to a creation, which succeeds without video too. It is as of the creation, and so the same one each time that
 * the creation is answered.
 */
async function videoFor(ports: VideoPorts, session: AgentSession): Promise<VideoToken | undefined> {
  const { id: agentSessionId, account_id, service_session_id: sessionId, created_at } = session;
  const browser = sessionId === null ? null : { sessionId };
  const watched = { agentSessionId, accountId: toId('account', account_id), browser };
  try {
    const video = await videoOf(ports, watched);
    return video && (await tokenFor(watched, video, new Date(created_at)));
  } catch (error) {
    ports.logger.warn({ err: error, agent_session: agentSessionId }, 'No video token could be made.');
    return undefined;
  }
}

/** A key to control the browser with over the video connection; refused unless the agent session is active. */
async function guiControlKey(ports: VideoPorts, found: OwnedAgentSession): Promise<GuiControlKey> {
  const state = await watchable(ports, found);
  const video = await requireVideo(ports, state);
  const scope = 'gui_control';
  const { token: key, expiresAt: expires_at } = await sign(state, video, ports.clock.now(), { scope });
  return { key, expires_at, agent_session_id: state.agentSessionId, scope, ws_url: video.wsUrl };
}

async function watchable(ports: VideoPorts, { id }: OwnedAgentSession): Promise<ExistingAgentSession> {
  const state = await load(ports, id);
  if (!exists(state)) throw refuse('not-found');
  if (state.status !== 'active') throw refuse('forbidden', `The agent session is ${state.status}.`);
  return state;
}

async function requireVideo(ports: VideoPorts, state: Watched): Promise<NodeVideo> {
  const video = await videoOf(ports, state);
  if (video) return video;
  throw refuse('feature-unavailable', 'No node of this deployment shows video of the browser.');
}

/** Of the node that runs the browser or, as long as there is no browser, of one that may come to run it. */
const videoOf = async (ports: VideoPorts, state: Watched): Promise<NodeVideo | undefined> =>
  ports.videos.find(await nodeOf(ports, state));

async function nodeOf({ runner }: VideoPorts, { browser }: Watched): Promise<NodeId | undefined> {
  if (browser === null) return undefined;
  const { state } = await runner.load(session, uuidOf(browser.sessionId));
  return isLive(state) ? (state.nodeId ?? undefined) : undefined;
}

async function tokenFor(state: Watched, video: NodeVideo, at: Date): Promise<VideoToken> {
  const { token, expiresAt: expires_at } = await sign(state, video, at);
  const participant_identity = identityOf(state);
  return { ws_url: video.wsUrl, room: state.agentSessionId, token, participant_identity, expires_at };
}

/** The same for all joins of an account, so that the last one takes the place of those before. */
const identityOf = ({ accountId }: Watched): string => `customer-${uuidOf(accountId)}`;

/** A JWT as LiveKit takes it: to see everything in the one room, to send data and to publish nothing. */
async function sign(
  watched: Watched,
  { api_key, api_secret }: NodeVideo,
  at: Date,
  claims: Readonly<Record<string, string>> = {},
) {
  const from = Math.floor(at.getTime() / 1000);
  const grants = { roomJoin: true, canSubscribe: true, canPublish: false, canPublishData: true };
  const token = await new SignJWT({ ...claims, video: { room: watched.agentSessionId, ...grants } })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuer(api_key)
    .setSubject(identityOf(watched))
    .setNotBefore(from)
    .setExpirationTime(from + tokenSeconds)
    .sign(new TextEncoder().encode(api_secret));
  return { token, expiresAt: new Date((from + tokenSeconds) * 1000).toISOString() };
}

/** Watching and controlling the browsers of agent sessions. Tokens hold ids and nothing else of anybody. */
export const createAgentVideo = (ports: VideoPorts) =>
  bindPorts(ports, { videoToken, videoFor, guiControlKey });

export type AgentVideo = ReturnType<typeof createAgentVideo>;
