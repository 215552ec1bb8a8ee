import { randomUUID } from 'node:crypto';
import {
  sealedFields,
  type AgentSessionEvent,
  type TurnUsage,
} from '../../contracts/events/agent-session.ts';
import type { SealedBody } from '../../contracts/events/agent-transcript.ts';
import { toId, uuidOf, type AccountId, type AgentSessionId } from '../../contracts/ids.ts';
import { at as someTime } from './index.ts';

type EventData<Type extends AgentSessionEvent['type']> = Extract<AgentSessionEvent, { type: Type }>['data'];
type Seal = (owner: string, field: string, text: string) => Promise<string>;
type Time = { readonly at?: string };

const someStart = {
  mode: 'ai',
  model: 'claude-haiku-5-5',
  tokenBudget: 100_000,
  attached: null,
  profileId: null,
  proxyId: null,
  sealedStart: null,
  opensInitialUrl: false,
} as const;
const somePlan = {
  round: 1,
  decision: 'plan',
  intents: 1,
  after: null,
  sealedPlan: 'sealed',
  tokens: 0,
} as const;
const noUsage: TurnUsage = {
  decomposerKind: 'deterministic',
  model: null,
  inputTokens: null,
  outputTokens: null,
  costCents: null,
};

/** The events of one agent session, in the order of the calls: entries are numbered as they are made. */
export class Conversation {
  readonly id: AgentSessionId = toId('agentSession', randomUUID());
  readonly stream = `agent_session-${uuidOf(this.id)}`;
  readonly account: AccountId;
  readonly #seal: Seal;
  #turnId = randomUUID();
  #entries = 0;

  constructor(account: AccountId, seal: Seal) {
    this.account = account;
    this.#seal = seal;
  }

  created(changes: Partial<EventData<'AgentSessionCreated'>> = {}): AgentSessionEvent {
    return {
      type: 'AgentSessionCreated',
      data: { ...this.#of(), ...someStart, createdBy: this.account, ...changes },
    };
  }

  /** A message in manual mode. */
  async logged(body: string): Promise<AgentSessionEvent> {
    return { type: 'MessageLogged', data: await this.#message(body) };
  }

  /** A message that starts a turn. */
  async said(body: string, changes: Time = {}): Promise<AgentSessionEvent> {
    const data = { ...(await this.#message(body)), epoch: 1, leaseExpiresAt: someTime, ...changes };
    return { type: 'TurnAdmitted', data };
  }

  /** A turn that starts before its message's secret words are known; then its message. */
  admitted(): AgentSessionEvent {
    this.#turnId = randomUUID();
    const noEntry = { entryIndex: null, sealedMessage: null };
    const data = { ...this.#of(), turnId: this.#turnId, ...noEntry, epoch: 1, leaseExpiresAt: someTime };
    return { type: 'TurnAdmitted', data };
  }

  async recorded(body: string): Promise<AgentSessionEvent> {
    const sealedMessage = await this.#sealed(sealedFields.message(this.#turnId), { body });
    return { type: 'MessageRecorded', data: { ...this.#entry(), sealedMessage } };
  }

  decomposed(usage: Partial<TurnUsage> = {}, changes: Time = {}): AgentSessionEvent {
    const data = { ...this.#of(), ...somePlan, turnId: this.#turnId, usage: { ...noUsage, ...usage } };
    return { type: 'TurnDecomposed', data: { ...data, ...changes } };
  }

  readBack(usage: Partial<TurnUsage>, changes: Time = {}): AgentSessionEvent {
    const data = { ...this.#of(), turnId: this.#turnId, usage: { ...noUsage, ...usage }, tokens: 0 };
    return { type: 'TurnReadBack', data: { ...data, ...changes } };
  }

  async answered(content: SealedBody): Promise<AgentSessionEvent> {
    return {
      type: 'TurnSettled',
      data: { ...(await this.#answer(content)), kind: 'plan-executed', ok: true, limit: null },
    };
  }

  async superseded(body: string): Promise<AgentSessionEvent> {
    const data = { ...(await this.#answer({ body })), phase: 'executing', cause: 'close' } as const;
    return { type: 'TurnSuperseded', data };
  }

  abandoned(): AgentSessionEvent {
    return { type: 'TurnAbandoned', data: { ...this.#entry(), phase: 'executing' } };
  }

  closed(): AgentSessionEvent {
    return { type: 'AgentSessionClosed', data: { ...this.#of(), reason: 'customer-closed', epoch: 2 } };
  }

  #of() {
    return { agentSessionId: this.id, accountId: this.account, at: someTime };
  }

  #entry() {
    return { ...this.#of(), turnId: this.#turnId, entryIndex: this.#entries++ };
  }

  async #message(body: string) {
    this.#turnId = randomUUID();
    const sealedMessage = await this.#sealed(sealedFields.message(this.#turnId), { body });
    return { ...this.#entry(), sealedMessage };
  }

  async #answer(content: SealedBody) {
    const sealedAnswer = await this.#sealed(sealedFields.answer(this.#turnId), content);
    return { ...this.#entry(), sealedAnswer };
  }

  #sealed(field: string, content: SealedBody): Promise<string> {
    return this.#seal(this.account, field, JSON.stringify(content));
  }
}
