import { sealedFields } from '../../contracts/events/agent-session.ts';
import { uuidOf, type SessionId } from '../../contracts/ids.ts';
import { problems, refuse, type ProblemSlug, type Refusal } from '../../contracts/problems.ts';
import type { ErrorEvent, Geolocation } from '../../contracts/resources/agent-session.ts';
import type { CreateSession } from '../../contracts/resources/session.ts';
import type { Failure } from '../../domain/agent-session/commands.ts';
import type { ExistingAgentSession } from '../../domain/agent-session/state.ts';
import { session } from '../../domain/session/session.ts';
import type { Session } from '../../domain/session/state.ts';
import type { Pause } from '../../infra/platform/clock.ts';
import type { Vault } from '../../infra/vault/index.ts';
import { opened } from '../engine/opened.ts';
import type { CommandPorts } from '../engine/runner.ts';

/** How often a driver session that somebody else starts is looked at, milliseconds. */
const lookMs = 100;
/** How long it is waited for. LiveKit's libraries wait 15 s for their socket. */
export const startPatienceMs = 12_000;

const isStarting = (state: Session): boolean =>
  state.status === 'creating' || (state.status === 'none' && !state.isWithdrawn);

/** A driver session that somebody else may be about to start, once it has started or ended; as it is when that takes too long. */
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

/** How the agent session's driver session is to be started. */
export const bodyFor = ({ profileId, proxyId }: ExistingAgentSession): CreateSession => ({
  ...(profileId && { profile_id: profileId }),
  ...(proxyId && { proxy_id: proxyId }),
});

interface Start {
  readonly initial_url?: string;
  readonly geolocation?: Geolocation;
}

/** What the agent session was to start with. */
export async function startOf(
  { vault }: { readonly vault: Pick<Vault, 'open'> },
  { sealedStart, agentSessionId, accountId }: ExistingAgentSession,
): Promise<Start> {
  if (sealedStart === null) return {};
  const start = await opened(vault, accountId, sealedFields.start(agentSessionId), sealedStart);
  return start === null ? {} : (JSON.parse(start) as Start);
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

/** The failure that a driver session leaves which could not be started. */
export const refusedStart = ({ slug, message }: Refusal): Failure => ({
  code: slug.replaceAll('-', '_'),
  severity: 'error',
  summary: `The driver session could not be started: ${problems[slug].title.toLowerCase()}.`,
  detail: message,
  customerActionable: actionable.has(slug),
  retryable: mayPass.has(slug),
});

/** The refusal that such a failure was made of; undefined for any other. */
export function startRefusedBy(error: ErrorEvent | null): Refusal | undefined {
  const slug = [...mayPass, ...actionable].find((each) => each.replaceAll('-', '_') === error?.code);
  return slug && refuse(slug, error?.detail ?? undefined);
}

/** An initial address that cannot be opened is reported, and nothing else follows from it. */
export const initialUrlFailed: Failure = {
  code: 'initial_url_failed',
  severity: 'warn',
  summary: 'The initial address could not be opened.',
  detail: null,
  customerActionable: true,
  retryable: false,
};
