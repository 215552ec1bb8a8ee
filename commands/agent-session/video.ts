import { toId, uuidOf, type AgentSessionId, type LinkId } from '../../contracts/ids.ts';
import { refuse } from '../../contracts/problems.ts';
import type { AgentSession, GuiControlKey, VideoToken } from '../../contracts/resources/agent-session.ts';
import type { LinkRight } from '../../contracts/resources/link.ts';
import type { SessionVideoToken } from '../../contracts/resources/session-video.ts';
import { session } from '../../domain/session/session.ts';
import { isLive } from '../../domain/session/state.ts';
import type { NodeVideo } from '../../infra/fleet/control-plane/video.ts';
import { bindPorts } from '../engine/bind-ports.ts';
import type { Caller } from '../engine/context.ts';
import type { OwnedSession } from '../session/index.ts';
import { identityOf } from './participant.ts';
import type { OwnedAgentSession } from './ports.ts';
import { nodeOf, sign, watchable, type VideoPorts, type Watched } from './video-grant.ts';
import { check, join, stay } from './video-join.ts';

/**
 * The viewer. Named by the person's own account, so that a new join replaces the same person's previous one. A token that is made
 * with an API key names that key, and ends with it.
 */
type Viewer = Pick<Caller, 'actorId' | 'keyId'>;

/** A token to watch the browser; throws `forbidden` unless the agent session is active. */
async function videoToken(ports: VideoPorts, found: OwnedAgentSession, viewer: Viewer): Promise<VideoToken> {
  const watched = await watchable(ports, found);
  const { token, ...shown } = await tokenFor(ports, watched, viewer, ports.clock.now());
  return { ...shown, room: found.id, token };
}

/** A watch-only token for the browser of a session; throws `session-destroyed` once it has ended. */
async function sessionVideoToken(
  ports: VideoPorts,
  { id }: OwnedSession,
  viewer: Viewer,
): Promise<SessionVideoToken> {
  const { state } = await ports.runner.load(session, uuidOf(id));
  if (!isLive(state)) throw refuse('session-destroyed');
  const watched = { room: id, session: id };
  const claims = { right: 'watch' };
  const { token, ...shown } = await tokenFor(ports, watched, viewer, ports.clock.now(), claims);
  return { ...shown, room: id, token };
}

/**
 * The token for the answer to a creation; undefined if none can be made, because the creation succeeds without video,
 * too. Its time is that of the creation, whenever the answer is made.
 */
async function videoFor(
  ports: VideoPorts,
  created: AgentSession,
  { keyId }: Pick<Viewer, 'keyId'>,
): Promise<VideoToken | undefined> {
  const { id, service_session_id, account_id, created_by_user_id } = created;
  try {
    const watched = { room: id, session: service_session_id };
    const video = await videoOf(ports, watched);
    if (!video) return undefined;
    const signed = await sign(
      watched,
      video,
      identityOf(toId('account', created_by_user_id ?? account_id)),
      new Date(created.created_at),
      { claims: keyClaim(keyId) },
    );
    return { ...signed, ws_url: video.wsUrl, room: id };
  } catch (error) {
    ports.logger.warn({ err: error, agent_session: id }, 'No video token could be made.');
    return undefined;
  }
}

/** A key to control the browser over the video connection; throws `forbidden` unless the agent session is active. */
async function guiControlKey(
  ports: VideoPorts,
  found: OwnedAgentSession,
  viewer: Viewer,
): Promise<GuiControlKey> {
  const watched = await watchable(ports, found);
  const scope = 'gui_control';
  const signed = await tokenFor(ports, watched, viewer, ports.clock.now(), { scope });
  const { token: key, ws_url, expires_at } = signed;
  return { key, expires_at, agent_session_id: found.id, scope, ws_url };
}

/** The rights and the end of a link. */
export interface LinkedView {
  readonly linkId: LinkId;
  readonly right: LinkRight;
  readonly expiresAt: string;
}

/** A token for a link: with the link's own identity and rights, expiring no later than the link. */
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

/** Video of the node that runs the browser or, if there is none yet, of a node that may run it later. */
const videoOf = async (ports: VideoPorts, watched: Watched): Promise<NodeVideo | undefined> =>
  ports.videos.find(await nodeOf(ports, watched));

async function tokenFor(
  ports: VideoPorts,
  watched: Watched,
  { actorId, keyId }: Viewer,
  from: Date,
  claims: Readonly<Record<string, string>> = {},
) {
  const video = await requireVideo(ports, watched);
  return {
    ws_url: video.wsUrl,
    ...(await sign(watched, video, identityOf(actorId), from, { claims: { ...claims, ...keyClaim(keyId) } })),
  };
}

const keyClaim = (keyId: Viewer['keyId']): Readonly<Record<string, string>> =>
  keyId === null ? {} : { key: keyId };

async function requireVideo(ports: VideoPorts, watched: Watched): Promise<NodeVideo> {
  const video = await videoOf(ports, watched);
  if (video) return video;
  throw refuse('feature-unavailable', 'No node of this deployment provides video.');
}

/** Watching and controlling the browsers of sessions and agent sessions. Tokens contain only ids. */
export const createAgentVideo = (ports: VideoPorts) =>
  bindPorts(ports, {
    ...{ videoToken, sessionVideoToken, videoFor, videoForLink, guiControlKey },
    ...{ join, check, stay },
  });

export type AgentVideo = ReturnType<typeof createAgentVideo>;
