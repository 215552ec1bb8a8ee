import { randomUUID } from 'node:crypto';
import { sealedFields, type AgentSessionEvent } from '../../contracts/events/agent-session.ts';
import { toId, uuidOf, type AccountId, type AgentSessionId } from '../../contracts/ids.ts';
import type { AgentMode } from '../../contracts/resources/agent-session.ts';
import type { SealedBody } from '../../contracts/events/agent-transcript.ts';
import { at as someTime } from './index.ts';

type EventData<Type extends AgentSessionEvent['type']> = Extract<AgentSessionEvent, { type: Type }>['data'];
type Seal = (owner: string, field: string, text: string) => Promise<string>;

/** The events of one agent session, in the order in which they are asked for: entries are numbered as they come. */
export interface Conversation {
  readonly id: AgentSessionId;
  readonly stream: string;
  created(changes?: Partial<EventData<'AgentSessionCreated'>>): AgentSessionEvent;
  /** A message in manual mode. */
  logged(body: string): Promise<AgentSessionEvent>;
  /** A message that begins a turn. */
  said(body: string, changes?: { readonly at?: string }): Promise<AgentSessionEvent>;
  decomposed(
    usage: Partial<EventData<'TurnDecomposed'>['usage']>,
    changes?: { readonly at?: string },
  ): AgentSessionEvent;
  readBack(
    usage: Partial<EventData<'TurnReadBack'>['usage']>,
    changes?: { readonly at?: string },
  ): AgentSessionEvent;
  answered(answer: SealedBody): Promise<AgentSessionEvent>;
  superseded(body: string): Promise<AgentSessionEvent>;
  abandoned(): AgentSessionEvent;
  closed(): AgentSessionEvent;
}

const noUsage = {
  decomposerKind: 'deterministic',
  model: null,
  inputTokens: null,
  outputTokens: null,
  costCents: null,
} as const;

const someStart = {
  model: 'claude-haiku-5-5',
  tokenBudget: 100_000,
  attached: null,
  profileId: null,
  proxyId: null,
  sealedStart: null,
  opensInitialUrl: false,
} as const;

const somePlan = { decision: 'plan', intents: 1, sealedPlan: 'sealed', tokens: 0 } as const;

export function aConversation(accountId: AccountId, seal: Seal, mode: AgentMode = 'ai'): Conversation {
  const id = toId('agentSession', randomUUID());
  const session = { agentSessionId: id, accountId, at: someTime };
  let turnId = randomUUID();
  let entries = 0;
  const entry = () => ({ ...session, turnId, entryIndex: entries++ });
  const sealed = (field: string, content: SealedBody) => seal(accountId, field, JSON.stringify(content));
  const message = async (body: string) => {
    turnId = randomUUID();
    return { ...entry(), sealedMessage: await sealed(sealedFields.message(turnId), { body }) };
  };
  const answer = async (content: SealedBody) => ({
    ...entry(),
    sealedAnswer: await sealed(sealedFields.answer(turnId), content),
  });
  return {
    id,
    stream: `agent_session-${uuidOf(id)}`,
    created: (changes = {}) => ({
      type: 'AgentSessionCreated',
      data: { ...session, ...someStart, mode, createdBy: accountId, ...changes },
    }),
    logged: async (body) => ({ type: 'MessageLogged', data: await message(body) }),
    said: async (body, changes = {}) => ({
      type: 'TurnAdmitted',
      data: { ...(await message(body)), epoch: 1, leaseExpiresAt: someTime, ...changes },
    }),
    decomposed: (usage, changes = {}) => ({
      type: 'TurnDecomposed',
      data: { ...session, ...somePlan, turnId, usage: { ...noUsage, ...usage }, ...changes },
    }),
    readBack: (usage, changes = {}) => ({
      type: 'TurnReadBack',
      data: { ...session, turnId, usage: { ...noUsage, ...usage }, tokens: 0, ...changes },
    }),
    answered: async (content) => ({
      type: 'TurnSettled',
      data: { ...(await answer(content)), kind: 'plan-executed', ok: true },
    }),
    superseded: async (body) => ({
      type: 'TurnSuperseded',
      data: { ...(await answer({ body })), phase: 'executing', cause: 'close' },
    }),
    abandoned: () => ({ type: 'TurnAbandoned', data: { ...entry(), phase: 'executing' } }),
    closed: () => ({ type: 'AgentSessionClosed', data: { ...session, reason: 'customer-closed', epoch: 2 } }),
  };
}
