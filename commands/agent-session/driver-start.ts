import { sealedFields, type SealedStart } from '../../contracts/events/agent-session.ts';
import { uuidOf, type SessionId } from '../../contracts/ids.ts';
import { problems, refuse, type ProblemSlug, type Refusal } from '../../contracts/problems.ts';
import type { ErrorEvent } from '../../contracts/resources/agent-session.ts';
import type { CreateSession } from '../../contracts/resources/session.ts';
import type { Failure } from '../../domain/agent-session/commands.ts';
import type { Browser } from '../../domain/agent-session/browser.ts';
import type { ExistingAgentSession } from '../../domain/agent-session/state.ts';
import { session } from '../../domain/session/session.ts';
import type { Session } from '../../domain/session/state.ts';
import type { Pause } from '../../infra/platform/clock.ts';
import type { Vault } from '../../infra/vault/index.ts';
import { openSealed } from '../engine/open-sealed.ts';
import type { CommandPorts } from '../engine/runner.ts';
import type { AgentSettings } from './ports.ts';

/** Polling interval for a driver session started by another process, in milliseconds. */
const lookMs = 100;
/** Timeout of that polling, in milliseconds. LiveKit's libraries wait 15 s for their socket. */
export const startPatienceMs = 12_000;

const isUnrequested = (state: Session): boolean => state.status === 'none' && !state.isWithdrawn;
const isStarting = (state: Session): boolean => state.status === 'creating' || isUnrequested(state);

interface StartLimits extends Pick<CommandPorts, 'clock'> {
  readonly settings: Pick<AgentSettings, 'startWithinMs'>;
}

/**
 * Whether the process that named a driver session may yet request it, for example while it waits for a profile that is being saved.
 * Afterwards it has died, or will find the driver session withdrawn.
 */
export const mayStillStart = (
  { clock, settings }: StartLimits,
  { namedAt }: Browser,
  state: Session,
): boolean =>
  isUnrequested(state) &&
  namedAt !== undefined &&
  clock.now().getTime() < Date.parse(namedAt) + settings.startWithinMs;

/** Waits until a driver session has started or ended; after the timeout, returns its present state. */
export async function onceStarted(
  { runner, clock, pause }: Pick<CommandPorts, 'runner' | 'clock'> & { readonly pause: Pause },
  sessionId: SessionId,
): Promise<Session> {
  const giveUpAt = clock.now().getTime() + startPatienceMs;
  const never = new AbortController().signal;
  for (;;) {
    const { state } = await runner.load(session, uuidOf(sessionId));
    if (!isStarting(state) || clock.now().getTime() >= giveUpAt) return state;
    await pause(lookMs, never);
  }
}

/** The create request for the agent session's driver session. */
export const bodyFor = ({ profileId, proxyId }: ExistingAgentSession): CreateSession => ({
  ...(profileId && { profile_id: profileId }),
  ...(proxyId && { proxy_id: proxyId }),
});

/** The sealed start settings of the agent session, opened. */
export async function startOf(
  { vault }: { readonly vault: Pick<Vault, 'open'> },
  { sealedStart, agentSessionId, accountId }: ExistingAgentSession,
): Promise<SealedStart> {
  if (sealedStart === null) return {};
  const start = await openSealed(vault, accountId, sealedFields.start(agentSessionId), sealedStart);
  return start === null ? {} : (JSON.parse(start) as SealedStart);
}

/** Refusals that may pass, caused by something outside this agent session. */
const mayPass: ReadonlySet<ProblemSlug> = new Set<ProblemSlug>([
  'concurrency-limit',
  'profile-in-use',
  'proxy-validation-failed',
  'driver-error',
  'driver-not-integrated',
  'session-timeout',
]);
/** Refusals that the account can resolve. */
const actionable: ReadonlySet<ProblemSlug> = new Set<ProblemSlug>([
  'concurrency-limit',
  'profile-in-use',
  'storage-quota-exceeded',
  'proxy-validation-failed',
  'not-found',
]);

/** The failure recorded for a driver session that could not be started. */
export const refusedStart = ({ slug, message }: Refusal): Failure => ({
  code: slug.replaceAll('-', '_'),
  severity: 'error',
  summary: `The driver session could not be started: ${problems[slug].title.toLowerCase()}.`,
  detail: message,
  customerActionable: actionable.has(slug),
  retryable: mayPass.has(slug),
});

/** The answer to a refused start: `not-found` would be about the agent session, but its profile or proxy is missing. */
export const startRefusal = (refusal: Refusal): Refusal =>
  refusal.slug === 'not-found' ? refuse('conflict', partsMissing) : refusal;

const partsMissing =
  'The profile or the proxy of this agent session no longer exists, so no browser can be started for it. Create another agent session.';

/** The refusal that `refusedStart` has recorded; undefined for any other failure. */
export function startRefusedBy(error: ErrorEvent | null): Refusal | undefined {
  const slug = [...mayPass, ...actionable].find((each) => each.replaceAll('-', '_') === error?.code);
  return slug && startRefusal(refuse(slug, error?.detail ?? undefined));
}

/** A failed initial address is reported, and has no other effect. Its reason would name the host, and events of errors are not sealed. */
export const initialUrlFailed: Failure = {
  code: 'initial_url_failed',
  severity: 'warn',
  summary: 'The initial address could not be opened.',
  detail: null,
  customerActionable: true,
  retryable: false,
};
