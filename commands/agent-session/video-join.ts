import { decodeJwt, errors, jwtVerify, type JWTPayload } from 'jose';
import { parseId, uuidOf, type AgentSessionId } from '../../contracts/ids.ts';
import { refuse } from '../../contracts/problems.ts';
import { session } from '../../domain/session/session.ts';
import { isOwnVideo } from '../../infra/fleet/control-plane/video.ts';
import { browserReplaced } from './start-for-person.ts';
import { nodeOf, sign, watchable, type VideoPorts, type Watched } from './video-grant.ts';
import { assertHolderMayStay } from './video-holder.ts';

/** Lifetime of a token for a node, which is used at once. */
const admissionSeconds = 60;
/** Tolerance for tokens from the future: this clock may be behind the one that made the token. Nodes allow the same. */
const toleranceSeconds = 5;

/** The node to join, and the token by which it admits the participant. */
export interface Joining {
  /** URL of the node, as the gateway reaches it. */
  readonly url: string;
  readonly token: string;
}

/**
 * Admits the holder of a token to the node that runs the browser now, which may differ from the token's. If no browser runs, one
 * is started for a participant who may drive. Throws `unauthorized` for an invalid token, `forbidden` for an inactive agent
 * session, `not-found` without a browser, `feature-unavailable` if the started one has ended by then, and what
 * `POST /v1/sessions` throws if none can be started.
 */
export async function join(ports: VideoPorts, token: string): Promise<Joining> {
  const claims = await verified(ports, token);
  const found = await lookAt(ports, claims);
  if (found.absent === undefined) return admitted(ports, claims, found.watched);
  await ports.starts.start(found.absent, claims.sub);
  const watched = await watchedIn(ports, claims);
  if (!(await isRunning(ports, watched))) throw browserReplaced();
  return admitted(ports, claims, watched);
}

async function admitted(ports: VideoPorts, claims: Claims, watched: Watched): Promise<Joining> {
  const { session: shown, video, url } = await placeOf(ports, watched);
  const { right = 'control', link, key } = claims;
  const by = { ...(link !== undefined && { link }), ...(key !== undefined && { key }) };
  const admission = { session: shown, right, ...by };
  const from = ports.clock.now();
  const until = new Date(from.getTime() + admissionSeconds * 1000);
  const signed = await sign(watched, video, claims.sub, from, { claims: admission, until });
  return { url, token: signed.token };
}

/**
 * Refuses a join that `join` would refuse, as far as the state known here shows it; the node decides in the end.
 * Returns the browser's node, and a token for asking it. Undefined if a join would start a browser; nothing is
 * started here.
 */
export async function check(ports: VideoPorts, token: string): Promise<Joining | undefined> {
  const claims = await verified(ports, token);
  const { watched, absent } = await lookAt(ports, claims);
  if (absent === undefined) return admitted(ports, claims, watched);
  await ports.starts.assertStartable(absent);
  return undefined;
}

/**
 * Throws unless the holder of a token, who has joined with it, may still be in the room: a removed admin may not, and
 * nobody whose token was made with a key that works no longer. The token may have expired since, because its expiry limits only
 * the join.
 */
export async function stay(ports: VideoPorts, token: string): Promise<void> {
  await assertHolderMayStay(ports, await verified(ports, token, { isInside: true }));
}

/** The node that runs the browser, and its address. */
async function placeOf(ports: VideoPorts, watched: Watched) {
  const node = watched.session === null ? undefined : await nodeOf(ports, watched);
  if (watched.session === null || node === undefined)
    throw refuse('not-found', 'There is no browser to watch: it has not started, or has ended.');
  const [video, address] = await Promise.all([ports.videos.find(node), ports.registry.address(node)]);
  if (!video || !address || !isOwnVideo(node, video))
    throw refuse('feature-unavailable', 'The node of the browser provides no video.');
  return { session: watched.session, video, url: address.url };
}

interface Found {
  readonly watched: Watched;
  /** The agent session whose browser this participant may start; undefined if it runs, and for watchers. */
  readonly absent?: AgentSessionId;
}

async function lookAt(ports: VideoPorts, claims: Claims): Promise<Found> {
  const watched = await watchedIn(ports, claims);
  const agent = parseId('agentSession', watched.room);
  if (agent === undefined || claims.right === 'watch' || (await isRunning(ports, watched)))
    return { watched };
  return { watched, absent: agent };
}

async function isRunning({ runner }: VideoPorts, { session: id }: Watched): Promise<boolean> {
  if (id === null) return false;
  const { status } = (await runner.load(session, uuidOf(id))).state;
  return status === 'ready' || status === 'busy';
}

interface Claims {
  readonly sub: string;
  readonly video: { readonly room: string };
  readonly right?: 'control' | 'watch';
  readonly link?: string;
  readonly key?: string;
}

const isClaims = (payload: JWTPayload): payload is JWTPayload & Claims =>
  typeof payload.sub === 'string' &&
  typeof payload.video === 'object' &&
  payload.video !== null &&
  'room' in payload.video &&
  typeof payload.video.room === 'string' &&
  (payload.right === undefined || payload.right === 'control' || payload.right === 'watch') &&
  (payload.link === undefined || typeof payload.link === 'string') &&
  (payload.key === undefined || typeof payload.key === 'string');

/** The verified claims of a token, signed by this deployment and naming one of its nodes. */
async function verified(
  { videos, clock }: VideoPorts,
  token: string,
  { isInside } = { isInside: false },
): Promise<Claims> {
  try {
    const { iss = '', nbf = 0 } = decodeJwt(token);
    const node = parseId('node', iss);
    const video = node && (await videos.find(node));
    if (node && video && isOwnVideo(node, video)) {
      const { payload } = await jwtVerify(token, new TextEncoder().encode(video.api_secret), {
        algorithms: ['HS256'],
        issuer: node,
        requiredClaims: ['exp'],
        clockTolerance: toleranceSeconds,
        currentDate: isInside ? new Date(nbf * 1000) : clock.now(),
      });
      if (isClaims(payload)) return payload;
    }
  } catch (error) {
    if (!(error instanceof errors.JOSEError)) throw error;
  }
  throw refuse(
    'unauthorized',
    'The video token is malformed, expired, or from another deployment. Request a new one.',
  );
}

async function watchedIn(ports: VideoPorts, claims: Claims): Promise<Watched> {
  await assertHolderMayStay(ports, claims);
  const { room } = claims.video;
  const agent = parseId('agentSession', room);
  if (agent) return watchable(ports, { id: agent });
  const id = parseId('session', room);
  if (!id) throw refuse('not-found');
  return { room: id, session: id };
}
