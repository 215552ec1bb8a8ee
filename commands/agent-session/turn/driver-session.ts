import { v7 as uuidv7 } from 'uuid';
import { sealedFields } from '../../../contracts/events/agent-session.ts';
import { toId, uuidOf, type SessionId } from '../../../contracts/ids.ts';
import { problems, Refusal, type ProblemSlug } from '../../../contracts/problems.ts';
import type { Geolocation } from '../../../contracts/resources/agent-session.ts';
import type { BrowserEnd, Failure } from '../../../domain/agent-session/commands.ts';
import { driverSessionEnded } from '../../../domain/agent-session/guards.ts';
import { endOf, noEnd } from '../../../domain/agent-session/lost-browser.ts';
import type { Recorded } from '../../../domain/agent-session/state.ts';
import { session } from '../../../domain/session/session.ts';
import { isLive } from '../../../domain/session/state.ts';
import { now } from '../../engine/context.ts';
import { opened } from '../../engine/opened.ts';
import type { OwnedSession } from '../../session/index.ts';
import { hold, letGo } from '../holder.ts';
import { perform } from './perform.ts';
import type { RunningTurn } from './running-turn.ts';

/**
 * The browser that the turn works with, started where there is none, with the initial address opened once. `cached`: what this
 * process saw last of it will do, since an operation on one that has ended is refused before it is dispatched.
 */
export async function browserFor(turn: RunningTurn, { cached } = { cached: true }): Promise<OwnedSession> {
  const id = (await present(turn, cached && !turn.session.awaitsInitialUrl)) ?? (await spawn(turn));
  const browser = { id, accountId: turn.accountId };
  if (turn.session.awaitsInitialUrl) await openInitialUrl(turn, browser);
  return browser;
}

/** The browser of the rounds before; null once it has ended. A turn that has acted gets no other one. */
export function heldBrowser({ session: { browser }, accountId }: RunningTurn): OwnedSession | null {
  return browser === null || browser.ended ? null : { id: browser.sessionId, accountId };
}

/**
 * The one that the agent session has, if it has not ended meanwhile. Nothing takes the place of an attached one; its loss under the turn
 * has left the failure.
 */
async function present(turn: RunningTurn, cached: boolean): Promise<SessionId | undefined> {
  const { browser } = turn.session;
  if (browser === null) return undefined;
  const { sessionId } = browser;
  if (!browser.ended) {
    const { state } = await turn.ports.runner.load(session, uuidOf(sessionId), { cached });
    if (state.status !== 'none' && isLive(state)) return sessionId;
    await lose(turn, sessionId);
  }
  if (browser.origin === 'spawned') return undefined;
  return turn.fail(driverSessionEnded(sessionId));
}

/** Records that the browser has ended. The hold is released by the reaction to that event. */
export async function lose(turn: RunningTurn, sessionId: SessionId): Promise<void> {
  const { state } = await turn.ports.runner.load(session, uuidOf(sessionId));
  await recordLoss(turn, sessionId, { cause: 'ended', ...endOf(state) });
}

async function recordLoss(
  turn: RunningTurn,
  sessionId: SessionId,
  loss: BrowserEnd & Pick<Recorded<'DriverSessionLost'>, 'cause'>,
): Promise<void> {
  const command = { type: 'LoseDriverSession', sessionId, ...loss, at: now(turn.ports) } as const;
  await turn.tell(`lose ${sessionId}`, command);
}

/**
 * Starts a driver session as `POST /v1/sessions` does. After a crash at any point the driver session is ended once the turn is abandoned: the
 * agent session knows the id before the driver session is requested.
 */
async function spawn(turn: RunningTurn): Promise<SessionId> {
  const { ports } = turn;
  const sessionId = toId('session', uuidv7());
  const holding = { sessionId, agentSessionId: turn.order.found.id, accountId: turn.accountId };
  await hold(ports, { ...holding, spawned: true }, turn.context('hold'));
  try {
    await turn.step('spawn', { type: 'SpawnDriverSession', sessionId });
  } catch (error) {
    if (error instanceof Refusal) await letGo(ports, holding, turn.context('let-go'));
    throw error;
  }
  const { profileId, proxyId } = turn.session;
  const body = { ...(profileId && { profile_id: profileId }), ...(proxyId && { proxy_id: proxyId }) };
  const { geolocation } = await startOf(turn);
  try {
    await ports.sessions.create(turn.callerFor('create'), sessionId, body, { geolocation });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    await recordLoss(turn, sessionId, { cause: 'refused', ...noEnd });
    return turn.fail(error, refusedSpawn(error));
  }
  await turn.proceed('after spawn');
  return sessionId;
}

/** Refusals that something other than this agent session has to change before the next try. */
const mayPass: ReadonlySet<ProblemSlug> = new Set<ProblemSlug>([
  'concurrency-limit',
  'profile-in-use',
  'proxy-validation-failed',
  'driver-error',
  'driver-not-integrated',
  'session-timeout',
]);
/** The account can do something about them. */
const actionable: ReadonlySet<ProblemSlug> = new Set<ProblemSlug>([
  'concurrency-limit',
  'profile-in-use',
  'storage-quota-exceeded',
  'proxy-validation-failed',
  'not-found',
]);

const refusedSpawn = ({ slug, message }: Refusal): Failure => ({
  code: slug.replaceAll('-', '_'),
  severity: 'error',
  summary: `The driver session could not be started: ${problems[slug].title.toLowerCase()}.`,
  detail: message,
  customerActionable: actionable.has(slug),
  retryable: mayPass.has(slug),
});

interface Start {
  readonly initial_url?: string;
  readonly geolocation?: Geolocation;
}

async function startOf({ ports, session: { sealedStart }, order, accountId }: RunningTurn): Promise<Start> {
  if (sealedStart === null) return {};
  const start = await opened(ports.vault, accountId, sealedFields.start(order.found.id), sealedStart);
  return start === null ? {} : (JSON.parse(start) as Start);
}

/** An initial address that cannot be opened is reported, and the turn goes on. */
async function openInitialUrl(turn: RunningTurn, browser: OwnedSession): Promise<void> {
  await turn.step('open-initial-url', { type: 'OpenInitialUrl', sessionId: browser.id });
  const { initial_url: url } = await startOf(turn);
  if (url === undefined) return;
  const done = await perform(
    turn,
    browser,
    { operation: 'navigate', input: { url, wait_until: 'load' } },
    'initial-url',
  );
  if (done.outcome !== 'succeeded')
    await turn.raise('initial-url-failed', { ...initialUrlFailed, detail: done.reason });
  await turn.proceed('after initial-url');
}

const initialUrlFailed: Failure = {
  code: 'initial_url_failed',
  severity: 'warn',
  summary: 'The initial address could not be opened.',
  detail: null,
  customerActionable: true,
  retryable: false,
};
