import type { LiveInput, LiveOperation, LiveResult } from '../../contracts/fleet/operations.ts';
import { uuidOf } from '../../contracts/ids.ts';
import { isOpen, type AgentSession } from '../../domain/agent-session/state.ts';
import { session } from '../../domain/session/session.ts';
import type { Session } from '../../domain/session/state.ts';
import type { LiveAnswer, LiveCall, LiveFleet } from '../../infra/fleet/control-plane/port.ts';
import type { LoadOptions, Runner } from '../engine/runner.ts';

/** Timeouts of answers in milliseconds; `content`: of a transfer. */
export const liveTimeouts: Readonly<Record<LiveOperation | 'content', number>> = {
  page_state: 5_000,
  observe: 10_000,
  meet: 2_000,
  picture: 10_000,
  challenge: 5_000,
  cookies: 10_000,
  cookies_set: 15_000,
  history: 30_000,
  downloads: 10_000,
  kept_capture: 30_000,
  content: 120_000,
};

export const noBrowser = { status: 'unavailable', reason: 'The agent session has no browser.' } as const;

/** The node of an agent session's browser; undefined if none runs, and after the close. */
export async function browserOf(
  { runner }: { readonly runner: Runner },
  state: AgentSession,
  { cached = false }: LoadOptions = {},
): Promise<Omit<LiveCall, 'timeoutMs'> | undefined> {
  if (!isOpen(state) || state.browser === null || state.browser.ended) return undefined;
  const uuid = uuidOf(state.browser.sessionId);
  const known = cached ? callOf((await runner.load(session, uuid, { cached })).state) : undefined;
  return known ?? callOf((await runner.load(session, uuid)).state);
}

const callOf = (driven: Session): Omit<LiveCall, 'timeoutMs'> | undefined =>
  (driven.status === 'ready' || driven.status === 'busy') && driven.nodeId !== null
    ? { node: driven.nodeId, session: driven.sessionId }
    : undefined;

interface AskingPorts {
  readonly runner: Runner;
  readonly fleet: Pick<LiveFleet, 'live'>;
}

/**
 * Sends a live request to the browser of an agent session. Never rejects because of the browser. `cached`: the cached
 * state of the driver session suffices, because the node refuses a request for an ended one.
 */
export async function askBrowser<O extends LiveOperation>(
  ports: AskingPorts,
  state: AgentSession,
  operation: O,
  input: LiveInput<O>,
  options: LoadOptions = {},
): Promise<LiveAnswer<LiveResult<O>>> {
  const browser = await browserOf(ports, state, options);
  if (!browser) return noBrowser;
  return ports.fleet.live({ ...browser, timeoutMs: liveTimeouts[operation] }, operation, input);
}
