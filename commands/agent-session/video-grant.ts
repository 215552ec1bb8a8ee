import { SignJWT } from 'jose';
import type { Logger } from 'pino';
import { uuidOf, type AgentSessionId, type NodeId, type SessionId } from '../../contracts/ids.ts';
import { refuse } from '../../contracts/problems.ts';
import { presentAgentSession } from '../../contracts/resources/agent-session.ts';
import { exists } from '../../domain/agent-session/state.ts';
import { session } from '../../domain/session/session.ts';
import { isLive } from '../../domain/session/state.ts';
import type { NodeRegistry } from '../../infra/fleet/control-plane/registry.ts';
import type { NodeVideo, NodeVideos } from '../../infra/fleet/control-plane/video.ts';
import { load } from './find.ts';
import type { PersonStarts } from './start-for-person.ts';
import type { HolderPorts } from './video-holder.ts';

export interface VideoPorts extends HolderPorts {
  readonly starts: PersonStarts;
  readonly videos: Pick<NodeVideos, 'find'>;
  readonly registry: Pick<NodeRegistry, 'address'>;
  readonly logger: Logger;
}

/** What a viewer watches. */
export interface Watched {
  /** The agent session's id, or the session's if there is none. */
  readonly room: string;
  readonly session: SessionId | null;
}

const tokenSeconds = 24 * 3600;

/** Returns what a viewer of the agent session watches. Throws `forbidden` unless the session is active. */
export async function watchable(
  ports: VideoPorts,
  { id }: { readonly id: AgentSessionId },
): Promise<Watched> {
  const state = await load(ports, id);
  if (!exists(state)) throw refuse('not-found');
  if (state.status !== 'active') throw refuse('forbidden', `The agent session is ${state.status}.`);
  return { room: id, session: presentAgentSession(state).service_session_id };
}

/** The node that runs the browser; undefined if none does. */
export async function nodeOf(
  { runner }: Pick<VideoPorts, 'runner'>,
  watched: Pick<Watched, 'session'>,
): Promise<NodeId | undefined> {
  if (watched.session === null) return undefined;
  const { state } = await runner.load(session, uuidOf(watched.session));
  return isLive(state) ? (state.nodeId ?? undefined) : undefined;
}

/** Contents of a token beyond its holder. */
interface Grant {
  readonly claims?: Readonly<Record<string, string>>;
  readonly canPublishData?: boolean;
  /** By default a day after it begins. */
  readonly until?: Date;
}

/**
 * A LiveKit JWT: for one room, may subscribe to everything and publish nothing, and may send data unless it is for watching only.
 */
export async function sign(
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
