import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { agentSessionEvents, type AgentSessionEvent } from '../../../contracts/events/agent-session.ts';
import { toId, uuidOf, type SessionId } from '../../../contracts/ids.ts';
import { monthOf } from '../../../contracts/calendar-month.ts';
import type { Plan } from '../../../contracts/resources/agent-turn.ts';
import { refuse } from '../../../contracts/problems.ts';
import { bundledSpend } from '../../../domain/bundled-llm.ts';
import { session } from '../../../domain/session/session.ts';
import { agentSession } from '../../../domain/agent-session/agent-session.ts';
import type { AgentSessionCommand } from '../../../domain/agent-session/commands.ts';
import { keyedDigest } from '../../../infra/keys/index.ts';
import { vault } from '../../../infra/verification/simulation/fake-vault.ts';
import { changeBundledLlm, spendUuid } from '../../bundled-llm.ts';
import { now } from '../../engine/context.ts';
import { createRunner, type Runner } from '../../engine/runner.ts';
import { hasKnownType } from '../../engine/recording.ts';
import { newCaller, newContext, TestClock } from '../../session/testing.ts';
import {
  ProviderKeyRefused,
  ProviderUnavailable,
  type ModelCall,
  type ModelUsage,
} from '../../../infra/model/port.ts';
import { testSettings } from '../testing.ts';
import { createTurns, defaultTurnSettings, type Order, type TurnOptions } from './index.ts';
import { memoryStore } from './testing/memory-store.ts';
import { planOf, secretOf, type Scenario } from './testing/scenario.ts';

const logger = pino({ level: 'silent' });
const used = { model: 'a-model', inputTokens: 10, outputTokens: 5, costCents: 1 };

/** A turn of an agent session, with all of its dependencies in memory. */
export class TurnStory {
  readonly scenario: Scenario;
  /** Dispatch ids of operations, and whether control had changed before each began. */
  readonly dispatched: { readonly id: string; readonly isAfterChange: boolean }[] = [];
  /** Calls of the model. */
  readonly asked: ModelCall[] = [];
  /** Whether a model has reported use. */
  isUsed = false;
  readonly clock = new TestClock();
  readonly id = toId('agentSession', randomUUID());
  readonly caller = newCaller();
  readonly order: Order;
  /** The browser that has ended. */
  #lost: SessionId | undefined;
  readonly #store = memoryStore((stream) =>
    stream === `agent_session-${uuidOf(this.id)}` ? this.moment() : Promise.resolve(),
  );
  readonly runner = createRunner({ store: this.#store, logger, cacheEntries: 100 });
  /** A runner with an empty cache, like that of another process. */
  readonly #others = createRunner({ store: this.#store, logger, cacheEntries: 0 });
  readonly #changes: Partial<TurnOptions>;
  #moments = 0;
  #isUnderWay = false;
  #isChanged = false;

  /** `changes`: dependencies in place of the scenario's. */
  constructor(scenario: Scenario, changes: Partial<TurnOptions> = {}) {
    this.scenario = scenario;
    this.#changes = changes;
    this.order = {
      caller: this.caller,
      found: { id: this.id, accountId: this.caller.accountId },
      turnId: randomUUID(),
      receivedAt: this.clock.now(),
      message: `let me in with ${secretOf(scenario)}`,
      variables: scenario.hasVariable ? { key: { value: secretOf(scenario) } } : null,
      resultForm: scenario.hasForm ? { schema: { type: 'object' }, faultOf: () => null } : null,
      recipe: null,
      ownKey: scenario.isBundled ? null : 'sk-ant-own',
    };
  }

  get turns() {
    return createTurns({ ...this.#ports(), ...this.#changes });
  }

  async open(): Promise<void> {
    const { accountId } = this.caller;
    await this.#run(this.#others, {
      type: 'CreateAgentSession',
      ...{ agentSessionId: this.id, accountId, mode: 'pair', model: 'a-model', tokenBudget: 1000 },
      ...{ createdBy: accountId, attached: null, profileId: null, proxyId: null },
      sealedStart: await vault.seal(
        accountId,
        `agent start ${this.id}`,
        JSON.stringify({ initial_url: 'http://sim.test/' }),
      ),
      opensInitialUrl: this.scenario.opensInitialUrl,
      at: this.#at(),
    });
    const ports = { runner: this.#others, clock: this.clock, defaultCapCents: 2000 };
    await changeBundledLlm(ports, accountId, { bundled_llm_consent: true }, newContext(accountId));
  }

  /** Sends the message; returns its outcome. */
  async say() {
    this.#isUnderWay = true;
    const [answer] = await Promise.allSettled([this.turns.say(this.order)]);
    this.#isUnderWay = false;
    return answer;
  }

  async events(): Promise<readonly AgentSessionEvent[]> {
    const events: AgentSessionEvent[] = [];
    for await (const event of this.#store.readStream(`agent_session-${uuidOf(this.id)}`))
      if (hasKnownType<AgentSessionEvent>(agentSessionEvents, event))
        events.push({ type: event.type, data: event.data } as AgentSessionEvent);
    return events;
  }

  /** What the account has spent on the bundled model, in cents. */
  async spent(): Promise<number> {
    const uuid = spendUuid(this.caller.accountId, monthOf(this.#at()));
    return (await this.#others.load(bundledSpend, uuid)).state.totalCents;
  }

  /** A moment at which control may change, as the scenario has it. */
  async moment(): Promise<void> {
    if (!this.#isUnderWay || this.#isChanged) return;
    this.#moments += 1;
    if (this.#moments <= this.scenario.moment) return;
    await this.change();
  }

  /** Changes control now, as the scenario has it. */
  async change(): Promise<void> {
    this.#isUnderWay = false;
    await this.#change();
    this.#isUnderWay = true;
  }

  async #change(): Promise<void> {
    const { state } = await this.#others.load(agentSession, uuidOf(this.id));
    const sessionId = 'browser' in state ? state.browser?.sessionId : undefined;
    const at = this.#at();
    const later = new Date(Date.parse(at) + 60_000).toISOString();
    const changes: Record<Scenario['change'], AgentSessionCommand | undefined> = {
      none: undefined,
      takeover: { type: 'TakeOver', clientId: 'c', trigger: 'takeover', heartbeatDueAt: later, at },
      mode: { type: 'ChangeMode', mode: 'manual', at },
      pause: sessionId && { type: 'Pause', sessionId, challengeId: 'chl_1', at },
      close: { type: 'Close', reason: 'customer-closed', at },
      abandon: { type: 'AbandonTurn', leaseMs: 1, lastHeartbeatAt: null, heartbeatDueAt: later, at: later },
    };
    const command = changes[this.scenario.change];
    if (command === undefined) return;
    const { events } = await this.#run(this.#others, command);
    this.#isChanged = events.length > 0;
  }

  #at(): string {
    return this.clock.now().toISOString();
  }

  #run(runner: Runner, command: AgentSessionCommand) {
    return runner.run(agentSession, uuidOf(this.id), command, newContext(this.caller.accountId));
  }

  #ports(): TurnOptions {
    const { scenario } = this;
    const plan = planOf(scenario);
    return {
      runner: this.runner,
      store: this.#store,
      clock: this.clock,
      pause: (_ms, signal) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('over')))),
      vault,
      keyedDigests: (text) => [keyedDigest(text, 'a pepper')],
      sessions: {
        create: () => this.#create(),
        attempt: (caller, browser) => this.#attempt(caller.context.commandId, browser.id),
        endOrWithdraw: async (_caller, id) => assert.equal(id, this.#lost),
      },
      fleet: { live: async () => ({ status: 'unavailable', reason: 'There is no browser.' }) },
      heartbeats: { record: () => undefined },
      grammar: (rest) =>
        scenario.asksModel
          ? { covers: false, understood: [], rest }
          : { covers: true, intents: plan.intents },
      model: this.#model(plan),
      assertSound: () => undefined,
      settings: {
        ...{ ...testSettings, ...defaultTurnSettings },
        ...(scenario.isBundled && { bundledKey: 'sk-ant-bundled' }),
      },
      logger,
    };
  }

  #model(plan: Plan & { decision: 'plan' }): TurnOptions['model'] {
    const { scenario } = this;
    return {
      decompose: async (call) => {
        this.asked.push(call);
        await this.moment();
        if (this.asked.length === scenario.modelFailsIn) this.#failModel();
        return { plan: this.#planned(plan), usage: this.#use() };
      },
      readBack: async () => {
        await this.moment();
        return { answer: `It says ${secretOf(scenario)}.`, usage: this.#use() };
      },
      fillIn: async () => {
        await this.moment();
        if (this.asked.length < scenario.modelFailsIn) this.#failModel();
        return { result: { key: secretOf(scenario) }, usage: this.#use() };
      },
    };
  }

  #use(): ModelUsage {
    this.isUsed = true;
    return used;
  }

  #failModel(): void {
    const { modelFails } = this.scenario;
    if (modelFails === 'key_refused') throw new ProviderKeyRefused('no');
    if (modelFails === 'unavailable') throw new ProviderUnavailable('down', 1, this.#use());
  }

  #planned(plan: Plan & { decision: 'plan' }): Plan {
    const { rounds } = this.scenario;
    const secret = secretOf(this.scenario);
    if (plan.intents.length === 0) return { decision: 'clarify', question: `What is ${secret}?` };
    if (this.asked.length > rounds) return { decision: 'answer', answer: `It is ${secret}.` };
    return this.asked.length === rounds ? plan : { ...plan, after: 'look', note: secret };
  }

  async #create(): Promise<never> {
    await this.moment();
    if (this.scenario.refusesSpawn) throw refuse('concurrency-limit', 'Full.', { limit: 1 });
    // The created session is not used.
    return undefined as never;
  }

  async #lose(browser: SessionId): Promise<void> {
    this.#lost = browser;
    const command = { type: 'WithdrawSession', sessionId: browser, at: now(this) } as const;
    await this.#others.run(session, uuidOf(browser), command, newContext(this.caller.accountId));
  }

  async #attempt(id: string, browser: SessionId) {
    await this.moment();
    if (browser === this.#lost) throw refuse('session-destroyed', 'The session has ended.');
    const index = this.dispatched.length - (this.scenario.opensInitialUrl ? 1 : 0);
    this.dispatched.push({ id, isAfterChange: this.#isChanged });
    await this.moment();
    const ended = index === -1 && this.scenario.losesFirst;
    if (ended) await this.#lose(browser);
    const secret = secretOf(this.scenario);
    const failure = {
      kind: 'page',
      category: 'unknown',
      reason: ended ? 'It ended.' : `Not ${secret}.`,
    } as const;
    const result = {
      final_url: 'http://sim.test/',
      status: 200,
      duration_ms: 1,
      kind: 'type',
      summary: 'Typed.',
      ...(index === this.scenario.dialogAt && {
        dialogs: [{ type: 'confirm' as const, accepted: false, message: secret }],
      }),
    };
    return ended || index === this.scenario.failsAt
      ? { dispatched: { outcome: 'failed' as const, failure }, ended, position: undefined }
      : { dispatched: { outcome: 'succeeded' as const, result }, ended, position: undefined };
  }
}
