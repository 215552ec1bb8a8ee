import { sealedFields, type SealedStart } from '../../contracts/events/agent-session.ts';
import { invalid, type FieldError } from '../../contracts/field-errors.ts';
import { parseId, uuidOf, type AgentSessionId, type SessionId } from '../../contracts/ids.ts';
import { Refusal, refuse } from '../../contracts/problems.ts';
import {
  presentAgentSession,
  type AgentMode,
  type AgentSession as Shown,
  type CreateAgentSession,
} from '../../contracts/resources/agent-session.ts';
import { tierLimits } from '../../contracts/tiers.ts';
import { firstPair } from '../../domain/agent-session/pair.ts';
import { exists, type ExistingAgentSession } from '../../domain/agent-session/state.ts';
import { assertFree } from '../../domain/profile/profile.ts';
import type { ActiveProfile } from '../../domain/profile/state.ts';
import { session } from '../../domain/session/session.ts';
import { isLive, type ExistingSession } from '../../domain/session/state.ts';
import { addressErrors } from '../../infra/outbound/address-rules.ts';
import { now, stepContext, type Caller } from '../engine/context.ts';
import { idleAfter } from '../engine/idle-timeout.ts';
import { findOwned } from '../engine/find-owned.ts';
import { find as findProfile } from '../profile/find.ts';
import type { Outcome } from '../receipt/index.ts';
import { changed, load, run, type Changed } from './find.ts';
import { hold, letGo, withdrawAgentSession, type Holding } from './holder.ts';
import type { AgentSessionPorts, AgentSettings } from './ports.ts';

/** Resources named by a request, all owned by the caller. */
interface Named {
  readonly attached: ExistingSession | undefined;
  readonly profile: ActiveProfile | undefined;
}

/**
 * Holds the driver session if the request names one, and creates the agent session. Otherwise the first turn that needs a browser
 * starts one.
 *
 * A crash between the two leaves a held driver session; the next request for it withdraws the agent session and takes the hold
 * over (see `hold`). The caller fixes `id`, so that a retry can look up the outcome by `describe`.
 */
export async function create(
  ports: AgentSessionPorts,
  caller: Caller,
  id: AgentSessionId,
  body: CreateAgentSession,
): Promise<Changed> {
  const { mode = 'ai' } = body;
  const named = await findNamed(ports, caller, body);
  assertSound(ports, body);
  assertTierHas(caller, mode);
  await assertUsable(ports, named);
  const at = now(ports);
  const command = {
    type: 'CreateAgentSession',
    agentSessionId: id,
    ...{ accountId: caller.accountId, mode, createdBy: caller.actorId },
    model: body.model ?? newestOf(ports.settings),
    tokenBudget: body.token_budget ?? ports.settings.tokenBudget,
    attached: named.attached?.sessionId ?? null,
    profileId: named.profile?.profileId ?? null,
    proxyId: body.proxy_id ?? null,
    sealedStart: await sealedStart(ports, caller, id, body),
    opensInitialUrl: body.initial_url !== undefined,
    ...idleAfter(body, at),
    at,
  } as const;
  const decided = async () =>
    changed(await run(ports, id, command, stepContext(caller.context, 'create'), { create: true }));
  return named.attached === undefined
    ? decided()
    : holding(ports, caller, { sessionId: named.attached.sessionId, agentSessionId: id }, decided);
}

/** Holds the driver session first, and releases it if the creation is refused. */
async function holding(
  ports: AgentSessionPorts,
  { accountId, context }: Caller,
  of: Omit<Holding, 'accountId'>,
  decided: () => Promise<Changed>,
): Promise<Changed> {
  await hold(ports, { ...of, accountId, spawned: false }, context);
  try {
    return await decided();
  } catch (error) {
    if (error instanceof Refusal) await letGo(ports, { ...of, accountId }, context);
    throw error;
  }
}

const newestOf = ({ models }: AgentSettings): string => models[0] ?? '';

/** The outcome of a creation. */
export async function describe(ports: AgentSessionPorts, id: AgentSessionId): Promise<Outcome<Shown>> {
  const state = await load(ports, id);
  return exists(state) ? { kind: 'created', body: createdBody(state) } : { kind: 'absent' };
}

/** Afterwards the agent session either exists or can never be created. */
export async function withdraw(
  ports: AgentSessionPorts,
  { accountId, context }: Caller,
  id: AgentSessionId,
  { service_session_id }: CreateAgentSession,
): Promise<void> {
  const { state } = await withdrawAgentSession(ports, { agentSessionId: id, accountId }, context);
  const sessionId = sessionIdIn(service_session_id);
  if (exists(state) || sessionId === undefined) return;
  await letGo(ports, { sessionId, agentSessionId: id, accountId }, context);
}

const sessionIdIn = (text: string | undefined): SessionId | undefined =>
  text === undefined ? undefined : parseId('session', text);

/** Throws `not-found` for a missing or foreign resource. */
async function findNamed(
  ports: AgentSessionPorts,
  { accountId }: Caller,
  { service_session_id, profile_id, proxy_id }: CreateAgentSession,
): Promise<Named> {
  if (proxy_id !== undefined) await ports.proxies.find(accountId, proxy_id);
  const profile = profile_id === undefined ? undefined : await findProfile(ports, accountId, profile_id);
  const attached =
    service_session_id === undefined
      ? undefined
      : await findOwned(ports.runner, session, 'session', accountId, service_session_id);
  return { attached, profile };
}

/** Fields of a request that only apply to a new driver session. */
const ofNewSessions = ['profile_id', 'proxy_id', 'geolocation'] as const;

/** Validates a body beyond its schema. */
function assertSound({ addresses, settings }: AgentSessionPorts, body: CreateAgentSession): void {
  const { model, initial_url, service_session_id } = body;
  const errors: FieldError[] = [];
  if (model !== undefined && !settings.models.includes(model))
    errors.push({
      path: '/body/model',
      code: 'enum',
      message: `must be one of ${settings.models.join(', ')}`,
    });
  if (initial_url !== undefined) errors.push(...addressErrors('/body/initial_url', initial_url, addresses));
  if (service_session_id !== undefined)
    for (const field of ofNewSessions.filter((each) => body[each] !== undefined))
      errors.push({
        path: `/body/${field}`,
        code: 'not',
        message: 'cannot be given with service_session_id: that session was started without it',
      });
  if (errors.length > 0) throw invalid(...errors);
}

/** Refuses modes with an acting agent to tiers without agents. */
export function assertTierHas({ tier }: Pick<Caller, 'tier'>, mode: AgentMode): void {
  if (mode === 'manual' || tierLimits[tier].agents) return;
  throw refuse(
    'forbidden',
    `The plan of the account does not include agents: the mode ${mode} is not available.`,
  );
}

/** Refuses an ended driver session and a profile in use. */
async function assertUsable({ runner }: AgentSessionPorts, { attached, profile }: Named): Promise<void> {
  if (attached !== undefined && !isLive(attached)) throw refuse('session-destroyed');
  if (profile?.use.kind !== 'live') return;
  const { state } = await runner.load(session, uuidOf(profile.use.sessionId));
  // The profile of an ended session is free once it is saved; starting a browser waits for that.
  if (state.status === 'none' || isLive(state)) assertFree(profile);
}

/** The initial address, sealed in the log. */
async function sealedStart(
  { vault }: AgentSessionPorts,
  { accountId }: Caller,
  id: AgentSessionId,
  { initial_url, geolocation }: CreateAgentSession,
): Promise<string | null> {
  if (initial_url === undefined && geolocation === undefined) return null;
  const start = { initial_url, geolocation } satisfies SealedStart;
  return vault.seal(accountId, sealedFields.start(id), JSON.stringify(start));
}

/** The body of the 201: the agent session as created. */
const createdBody = (state: ExistingAgentSession): Shown =>
  presentAgentSession({
    ...state,
    status: 'active',
    mode: state.initialMode,
    pair: firstPair(state.initialMode, state.createdAt),
    browser: state.browser?.origin === 'attached' ? state.browser : null,
    ...{ tokensUsed: 0, entries: 0, error: null, closedAt: null, closedReason: null },
    updatedAt: state.createdAt,
  });
