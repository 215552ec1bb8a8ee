import { v7 as uuidv7 } from 'uuid';
import { toId, uuidOf, type SessionId } from '../../../contracts/ids.ts';
import { Refusal } from '../../../contracts/problems.ts';
import type { BrowserEnd } from '../../../domain/agent-session/commands.ts';
import { driverSessionEnded } from '../../../domain/agent-session/guards.ts';
import { endOf, noEnd } from '../../../domain/agent-session/lost-browser.ts';
import type { Recorded } from '../../../domain/agent-session/state.ts';
import { session } from '../../../domain/session/session.ts';
import { isLive } from '../../../domain/session/state.ts';
import { now } from '../../engine/context.ts';
import type { OwnedSession } from '../../session/index.ts';
import {
  bodyFor,
  initialUrlFailed,
  mayStillStart,
  onceStarted,
  refusedStart,
  startOf,
  startRefusal,
} from '../driver-start.ts';
import { hold, letGo } from '../holder.ts';
import { perform } from './perform.ts';
import type { RunningTurn } from './running-turn.ts';

/**
 * The turn's browser, started if there is none, with the initial address opened once. `cached`: the last known state suffices, because an
 * operation of an ended browser is refused before its dispatch.
 */
export async function browserFor(turn: RunningTurn, { cached } = { cached: true }): Promise<OwnedSession> {
  const id = (await present(turn, cached && !turn.session.awaitsInitialUrl)) ?? (await spawn(turn));
  const browser = { id, accountId: turn.accountId };
  if (turn.session.awaitsInitialUrl) await openInitialUrl(turn, browser);
  return browser;
}

/** The browser of the previous rounds; null once it has ended. A turn that has acted does not get another. */
export function heldBrowser({ session: { browser }, accountId }: RunningTurn): OwnedSession | null {
  return browser === null || browser.ended ? null : { id: browser.sessionId, accountId };
}

/** The agent session's browser unless it has ended. An attached one is not replaced; its loss fails the turn. */
async function present(turn: RunningTurn, cached: boolean): Promise<SessionId | undefined> {
  const { browser } = turn.session;
  if (browser === null) return undefined;
  const { sessionId } = browser;
  if (!browser.ended) {
    const { state } = await turn.ports.runner.load(session, uuidOf(sessionId), { cached });
    if (state.status === 'ready' || state.status === 'busy') return sessionId;
    // A person who joined the agent session may have requested its start.
    const started = await onceStarted(turn.ports, sessionId);
    if (isLive(started)) return sessionId;
    if (mayStillStart(turn.ports, browser, started)) {
      await turn.proceed('await-browser');
      return present(turn, false);
    }
    if (started.status === 'none') await giveUp(turn, sessionId);
    await lose(turn, sessionId);
  }
  if (browser.origin === 'spawned') return undefined;
  return turn.fail(driverSessionEnded(sessionId));
}

/** For a driver session whose starting process has died: makes sure that it is never started. */
const giveUp = (turn: RunningTurn, sessionId: SessionId): Promise<void> =>
  turn.ports.sessions.endOrWithdraw(turn.callerFor(`give-up ${sessionId}`), sessionId, 'agent_session');

/** Records that the browser has ended. A reaction to that event releases the hold. */
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
 * Starts a driver session as `POST /v1/sessions` does. It is ended when the turn is abandoned after a crash at any point, because the agent
 * session records its id before it is requested.
 */
async function spawn(turn: RunningTurn): Promise<SessionId> {
  const { ports } = turn;
  const sessionId = toId('session', uuidv7());
  const holding = { sessionId, agentSessionId: turn.order.found.id, accountId: turn.accountId };
  // A turn whose browser is lost starts another.
  const named = (step: string): string => `${step} ${sessionId}`;
  await hold(ports, { ...holding, spawned: true }, turn.context(named('hold')));
  try {
    await turn.step(named('spawn'), { type: 'SpawnDriverSession', sessionId });
  } catch (error) {
    if (error instanceof Refusal) await letGo(ports, holding, turn.context(named('let-go')));
    throw error;
  }
  const { browser } = turn.session;
  if (browser !== null && browser.sessionId !== sessionId) {
    // A person who joined meanwhile has requested another one.
    await letGo(ports, holding, turn.context(named('let-go')));
    return (await present(turn, false)) ?? spawn(turn);
  }
  const { geolocation } = await startOf(ports, turn.session);
  try {
    await ports.sessions.create(turn.callerFor(named('create')), sessionId, bodyFor(turn.session), {
      geolocation,
    });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    // A closed agent session still names a browser that was ended while it started.
    const cause = error.slug === 'session-destroyed' ? 'ended' : 'refused';
    await recordLoss(turn, sessionId, { cause, ...noEnd });
    return turn.fail(startRefusal(error), refusedStart(error));
  }
  await turn.proceed('after spawn');
  return sessionId;
}

/** An initial address that cannot be opened is reported, and the turn continues. */
async function openInitialUrl(turn: RunningTurn, browser: OwnedSession): Promise<void> {
  const opening = await turn.step('open-initial-url', { type: 'OpenInitialUrl', sessionId: browser.id });
  const { initial_url: url } = await startOf(turn.ports, turn.session);
  if (url === undefined || opening.length === 0) return;
  const done = await perform(
    turn,
    browser,
    { operation: 'navigate', input: { url, wait_until: 'load' } },
    'initial-url',
  );
  if (done.outcome !== 'succeeded') await turn.raise('initial-url-failed', initialUrlFailed);
  await turn.proceed('after initial-url');
}
