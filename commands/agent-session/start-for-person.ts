import type { Logger } from 'pino';
import { v7 as uuidv7 } from 'uuid';
import { toId, uuidOf, type AccountId, type AgentSessionId, type SessionId } from '../../contracts/ids.ts';
import { Refusal, refuse } from '../../contracts/problems.ts';
import { concurrentSessions } from '../../contracts/tiers.ts';
import { account } from '../../domain/account.ts';
import type { AgentSessionCommand } from '../../domain/agent-session/commands.ts';
import { driverSessionEnded } from '../../domain/agent-session/guards.ts';
import { endOf, noEnd } from '../../domain/agent-session/lost-browser.ts';
import type { Browser } from '../../domain/agent-session/browser.ts';
import { exists, type ExistingAgentSession } from '../../domain/agent-session/state.ts';
import { session } from '../../domain/session/session.ts';
import { isLive } from '../../domain/session/state.ts';
import { Cache } from '../../infra/platform/cache.ts';
import type { Pause } from '../../infra/platform/clock.ts';
import { within } from '../../infra/platform/timeout.ts';
import { ConcurrencyLimiter } from '../../infra/platform/concurrency-limiter.ts';
import type { Vault } from '../../infra/vault/index.ts';
import { now, reportContext, stepContext, type CommandContext, type OnAccount } from '../engine/context.ts';
import type { CommandPorts } from '../engine/runner.ts';
import type { SessionCommands } from '../session/index.ts';
import {
  bodyFor,
  initialUrlFailed,
  mayStillStart,
  onceStarted,
  refusedStart,
  startOf,
  startPatienceMs,
  startRefusal,
  startRefusedBy,
} from './driver-start.ts';
import { load, loadCached, run } from './find.ts';
import { hold, letGo } from './holder.ts';
import { participantContext } from './participant.ts';
import type { AgentSettings } from './ports.ts';

export interface PersonStartPorts extends CommandPorts {
  readonly sessions: Pick<SessionCommands, 'create' | 'attempt' | 'endOrWithdraw'>;
  readonly vault: Pick<Vault, 'open'>;
  readonly pause: Pause;
  readonly settings: Pick<AgentSettings, 'startWithinMs'>;
  readonly logger: Logger;
}

/** Maximum requests that wait for a browser: in total, per agent session, and per account. Each has an open socket. */
const waiting = { ofAgentSession: { total: 64, perKey: 8 }, ofAccount: { total: 64, perKey: 16 } };
/** Milliseconds until a refused start may be retried. */
const refusedForMs = 3_000;

/**
 * Starts browsers for people. The contract starts one for the first executed intent; in modes in which a person may drive, the
 * first driver who joins starts it.
 */
export function createPersonStarts(ports: PersonStartPorts) {
  const starting = new Map<AgentSessionId, Promise<void>>();
  const refused = new Cache<AgentSessionId, Refusal>({ maxAgeMs: refusedForMs });
  const ofAgentSessions = new ConcurrencyLimiter(waiting.ofAgentSession);
  const ofAccounts = new ConcurrencyLimiter(waiting.ofAccount);

  const startOnce = (id: AgentSessionId, identity: string): Promise<void> => {
    const underWay = starting.get(id) ?? start(ports, id, identity).finally(() => starting.delete(id));
    starting.set(id, underWay);
    underWay.catch((error: unknown) => isLasting(error) && refused.set(id, error));
    return underWay;
  };
  return {
    /** Resolves once there is a browser, started on the participant's behalf if there was none. */
    async start(id: AgentSessionId, identity: string): Promise<void> {
      const before = refused.get(id);
      if (before !== undefined) throw before;
      const state = await loadCached(ports, id);
      if (!exists(state)) throw refuse('not-found');
      const started = () => within(startPatienceMs, startOnce(id, identity), stillStarting);
      await ofAccounts.hold(state.accountId, () => ofAgentSessions.hold(id, started));
    },
    /** Throws the refusal that `start` would throw, or that the last start ended with. Starts nothing. */
    async assertStartable(id: AgentSessionId): Promise<void> {
      const state = await startable(ports, id);
      const before = refused.get(id) ?? startRefusedBy(state.error);
      if (before !== undefined) throw before;
    },
  };
}

export type PersonStarts = ReturnType<typeof createPersonStarts>;

/** `Retry-After` in seconds. */
const retry_after_seconds = 1;

const stillStarting = () =>
  refuse('feature-unavailable', 'The browser is still starting. Join again in a moment.', {
    retry_after_seconds,
  });

/** The browser has ended, but not the agent session: the next join starts another one. */
export const browserReplaced = (): Refusal =>
  refuse('feature-unavailable', 'The browser ended while it started. Join again: another one is started.', {
    retry_after_seconds,
  });

/** Whether the refusal holds for the next requests, too. One that says when to retry does not. */
const isLasting = (error: unknown): error is Refusal =>
  error instanceof Refusal && error.extensions.retry_after_seconds === undefined;

/** Throws unless the agent session is active and in a mode in which people may drive. */
async function startable({ runner }: CommandPorts, id: AgentSessionId): Promise<ExistingAgentSession> {
  const state = await load({ runner }, id);
  if (!exists(state)) throw refuse('not-found');
  if (state.status !== 'active') throw refuse('forbidden', `The agent session is ${state.status}.`);
  if (state.mode === 'ai')
    throw refuse(
      'not-found',
      'There is no browser to watch yet: the first message that needs one starts it.',
    );
  if (state.browser?.ended) throw driverSessionEnded(state.browser.sessionId);
  return state;
}

/** One start, on behalf of the first participant. */
interface Starting {
  readonly ports: PersonStartPorts;
  readonly of: ExistingAgentSession;
  readonly on: OnAccount;
}

async function start(ports: PersonStartPorts, id: AgentSessionId, identity: string): Promise<void> {
  const state = await startable(ports, id);
  const root = participantContext(
    reportContext(uuidv7(), 'callback:join'),
    { participant: identity },
    state.accountId,
  );
  const starting = { ports, of: state, on: await onAccount(ports, state.accountId, root) };
  if (state.browser !== null && (await hasStarted(starting, state.browser))) return;
  const sessionId = toId('session', uuidv7());
  const present = await name(starting, sessionId);
  if (present.sessionId !== sessionId) {
    await hasStarted(starting, present);
    return;
  }
  await create(starting, sessionId);
  void openInitialUrl(starting, sessionId).catch((error: unknown) =>
    ports.logger.warn(
      { err: error, agent_session: id },
      'The initial address of an agent session was not opened.',
    ),
  );
}

async function onAccount(
  { runner }: CommandPorts,
  accountId: AccountId,
  context: CommandContext,
): Promise<OnAccount> {
  const { state } = await runner.load(account, uuidOf(accountId));
  if (state.status !== 'active') throw refuse('forbidden', 'The account is suspended.');
  return { accountId, tier: state.tier, concurrentSessions: concurrentSessions(state), context };
}

const tell = ({ ports, of, on }: Starting, name: string, command: AgentSessionCommand) =>
  run(ports, of.agentSessionId, command, stepContext(on.context, name));

/** Waits for a driver session started elsewhere; records an ended or never started one as lost. Throws if it may still start. */
async function hasStarted(starting: Starting, browser: Browser): Promise<boolean> {
  const { ports, on } = starting;
  const { sessionId } = browser;
  const state = await onceStarted(ports, sessionId);
  if (isLive(state)) return true;
  if (mayStillStart(ports, browser, state)) throw stillStarting();
  if (state.status === 'none') await ports.sessions.endOrWithdraw(on, sessionId, 'agent_session');
  await lose(starting, sessionId, { cause: 'ended', ...endOf(state) });
  return false;
}

type Loss = Omit<Extract<AgentSessionCommand, { type: 'LoseDriverSession' }>, 'type' | 'sessionId' | 'at'>;

/** The reaction to that event releases the hold. */
const lose = (starting: Starting, sessionId: SessionId, loss: Loss) =>
  tell(starting, `lose ${sessionId}`, {
    type: 'LoseDriverSession',
    ...{ sessionId, ...loss, at: now(starting.ports) },
  });

/**
 * The agent session records the id before the driver session is requested, so that after any crash the driver session
 * is ended with the agent session. Returns the agent session's browser, which may be one that another process has
 * started meanwhile.
 */
async function name(starting: Starting, sessionId: SessionId): Promise<Browser> {
  const { ports, of, on } = starting;
  const holding = { sessionId, agentSessionId: of.agentSessionId, accountId: of.accountId };
  await hold(ports, { ...holding, spawned: true }, on.context);
  const command = { type: 'StartDriverSession', sessionId, at: now(ports) } as const;
  const named = async () => (await tell(starting, 'start', command)).state;
  const state = await named().catch(async (error: unknown) => {
    if (error instanceof Refusal) await letGo(ports, holding, on.context);
    throw error;
  });
  const browser = exists(state) ? state.browser : null;
  if (browser === null) throw refuse('not-found');
  if (browser.sessionId !== sessionId) await letGo(ports, holding, on.context);
  return browser;
}

/** As `POST /v1/sessions` does, but a browser that is ended meanwhile is replaced unless the agent session was closed. */
async function create(starting: Starting, sessionId: SessionId): Promise<void> {
  const { ports, of, on } = starting;
  const { geolocation } = await startOf(ports, of);
  const caller = { ...on, context: stepContext(on.context, 'create') };
  try {
    await ports.sessions.create(caller, sessionId, bodyFor(of), { geolocation });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.slug === 'session-destroyed') return ended(starting, sessionId, error);
    await lose(starting, sessionId, { cause: 'refused', ...noEnd });
    await tell(starting, 'raise', { type: 'RaiseError', ...refusedStart(error), at: now(ports) });
    throw startRefusal(error);
  }
}

async function ended(starting: Starting, sessionId: SessionId, error: Refusal): Promise<never> {
  const { ports, of } = starting;
  const current = await load(ports, of.agentSessionId);
  if (exists(current) && current.status === 'closed') throw error;
  const { state } = await ports.runner.load(session, uuidOf(sessionId));
  await lose(starting, sessionId, { cause: 'ended', ...endOf(state) });
  throw browserReplaced();
}

/** Not awaited: the person sees the page as it loads. */
async function openInitialUrl(starting: Starting, sessionId: SessionId): Promise<void> {
  const { ports, of } = starting;
  if (!of.awaitsInitialUrl) return;
  const opening = { type: 'StartAtInitialUrl', sessionId, at: now(ports) } as const;
  const { events } = await tell(starting, 'open-initial-url', opening);
  const { initial_url: url } = await startOf(ports, of);
  if (events.length === 0 || url === undefined) return;
  if (await opened(starting, sessionId, url)) return;
  const raise = { type: 'RaiseError', ...initialUrlFailed, at: now(ports) } as const;
  await tell(starting, 'initial-url-failed', raise);
}

/** Whether the address could be opened. */
async function opened({ ports, on }: Starting, id: SessionId, url: string): Promise<boolean> {
  const caller = { context: stepContext(on.context, 'initial-url') };
  const input = { url, wait_until: 'load' } as const;
  try {
    const { dispatched } = await ports.sessions.attempt(
      caller,
      { id, accountId: on.accountId },
      'navigate',
      input,
    );
    return dispatched.outcome === 'succeeded';
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}
