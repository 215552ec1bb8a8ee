import { randomUUID } from 'node:crypto';
import {
  agentSessionEvents,
  sealedFields,
  type AgentSessionEvent,
} from '../../contracts/events/agent-session.ts';
import { entryOf } from '../../contracts/events/agent-transcript.ts';
import { toId, uuidOf, type AccountId, type AgentSessionId, type SessionId } from '../../contracts/ids.ts';
import type { Plan, TranscriptEntry } from '../../contracts/resources/agent-turn.ts';
import { agentSession } from '../../domain/agent-session/agent-session.ts';
import type { AgentSessionCommand } from '../../domain/agent-session/commands.ts';
import { sessionHolder } from '../../domain/session-holder.ts';
import { hold } from '../../commands/agent-session/holder.ts';
import { hasKnownType } from '../../commands/engine/recording.ts';
import { systemClock } from '../../infra/platform/clock.ts';
import type { FilledIn, ModelCall, ModelDecomposer, ModelUsage } from '../../infra/model/port.ts';
import type { Answer } from '../../infra/http/testing.ts';
import { startWriteSide, type WriteSide, type WriteSideOptions } from '../testing.ts';

export const used: ModelUsage = { model: 'a-model', inputTokens: 100, outputTokens: 20, costCents: 3 };

type Made<T> = T | ((call: ModelCall) => Promise<T>);

/** A model with scripted answers, which records its calls. */
export class ScriptedModel implements ModelDecomposer {
  readonly asked: ModelCall[] = [];
  readonly #plans: Made<{ plan: Plan; usage: ModelUsage }>[] = [];
  readonly #filled: Made<FilledIn & { usage: ModelUsage }>[] = [];
  readonly #answers: Made<{ answer: string; usage: ModelUsage }>[] = [];

  /** The next plan, or a function that returns or throws it. */
  plans(plan: Plan | ((call: ModelCall) => Promise<Plan>), usage: ModelUsage = used): this {
    this.#plans.push(
      typeof plan === 'function' ? async (call) => ({ plan: await plan(call), usage }) : { plan, usage },
    );
    return this;
  }
  fails(error: Error): this {
    this.#plans.push(() => Promise.reject(error));
    return this;
  }
  readsBack(answer: string | Error, usage: ModelUsage = used): this {
    this.#answers.push(typeof answer === 'string' ? { answer, usage } : () => Promise.reject(answer));
    return this;
  }

  decompose(call: ModelCall) {
    this.asked.push(call);
    return made(this.#plans.shift(), call);
  }
  /** Queues the answer to the next `fillIn`: a result, the errors of an invalid result, or an error to throw. */
  fillsIn(filled: FilledIn | Error, usage: ModelUsage = used): this {
    this.#filled.push(filled instanceof Error ? () => Promise.reject(filled) : { ...filled, usage });
    return this;
  }
  fillIn(call: ModelCall) {
    this.asked.push(call);
    return made(this.#filled.shift(), call);
  }
  readBack(call: ModelCall) {
    this.asked.push(call);
    return made(this.#answers.shift(), call);
  }
}

async function made<T>(next: Made<T> | undefined, call: ModelCall): Promise<T> {
  if (next === undefined) throw new Error('The model was not expected to be asked.');
  return typeof next === 'function' ? (next as (call: ModelCall) => Promise<T>)(call) : next;
}

interface Opened {
  readonly accountId: AccountId;
  readonly token: string;
  readonly id: AgentSessionId;
}

interface Opening {
  readonly mode?: 'ai' | 'manual' | 'pair';
  readonly tokenBudget?: number;
  readonly attached?: SessionId;
  readonly profileId?: string;
  readonly start?: { readonly initial_url?: string; readonly geolocation?: object };
  readonly account?: { readonly accountId: AccountId; readonly token: string };
  readonly tier?: 'personal' | 'team' | 'enterprise';
}

/** The write side with common steps of message tests. */
export async function startAgents(options: WriteSideOptions = {}) {
  const side = await startWriteSide(options);
  return { side, ...agentsOn(side), close: () => side.close() };
}

export type Agents = Awaited<ReturnType<typeof startAgents>>;

function agentsOn(side: WriteSide) {
  const { runner, context } = side.staff;
  const run = (id: AgentSessionId, command: AgentSessionCommand) =>
    runner.run(agentSession, uuidOf(id), command, context());
  const opening = (wanted: Opening = {}) => open(side, run, wanted);
  return { run, at, open: opening, ...saidOn(side), ...seenOn(side), ...controlOf(run) };
}

const at = () => new Date().toISOString();

const saidOn = (side: WriteSide) => ({
  message: (
    { token, id }: Pick<Opened, 'token' | 'id'>,
    user_message: string,
    headers: Record<string, string> = {},
    more: object = {},
  ): Promise<Answer> =>
    side.call(`POST /v1/agent-sessions/${id}/message`, { token, body: { user_message, ...more }, headers }),
});

function seenOn(side: WriteSide) {
  const { runner } = side.staff;
  const eventsOf = async (id: AgentSessionId): Promise<AgentSessionEvent[]> =>
    (await side.events(`agent_session-${uuidOf(id)}`)).filter((event) =>
      hasKnownType<AgentSessionEvent>(agentSessionEvents, event),
    );
  return {
    eventsOf,
    typesOf: async (id: AgentSessionId) => (await eventsOf(id)).map(({ type }) => type),
    /** The entries of the transcript. */
    transcript: ({ id, accountId }: Opened) => transcript(side, accountId, eventsOf(id)),
    /** All sealed data of its events, opened. */
    sealed: async ({ id, accountId }: Opened) => {
      const opened = (await eventsOf(id)).flatMap((event) =>
        sealedIn(event).map(([field, text]) => side.vault.open(accountId, field, text)),
      );
      return (await Promise.all(opened)).map((each) => ('erased' in each ? 'erased' : each.text));
    },
    held: async (sessionId: SessionId) =>
      (await runner.load(sessionHolder, uuidOf(sessionId))).state.held?.agentSessionId ?? null,
    state: async (id: AgentSessionId) => {
      const { state } = await runner.load(agentSession, uuidOf(id));
      if (state.status === 'none' || state.status === 'withdrawn') throw new Error('It is not there.');
      return state;
    },
    /** Operations in the node's log, in order. */
    operations: (sessionId: unknown) =>
      side
        .driverLog()
        .flatMap((line) =>
          line.action === 'operate' && line.session_id === sessionId && line.operation
            ? [line.operation]
            : [],
        ),
  };
}

const controlOf = (run: (id: AgentSessionId, command: AgentSessionCommand) => Promise<unknown>) => ({
  takeOver: (id: AgentSessionId, clientId = 'someone') =>
    run(id, { type: 'TakeOver', clientId, trigger: 'takeover', heartbeatDueAt: at(), at: at() }),
  changeMode: (id: AgentSessionId, mode: 'ai' | 'manual' | 'pair') =>
    run(id, { type: 'ChangeMode', mode, at: at() }),
  shut: (id: AgentSessionId) => run(id, { type: 'Close', reason: 'customer-closed', at: at() }),
});

/** Opens an agent session by its rules directly, as another process does. */
async function open(
  side: WriteSide,
  run: (id: AgentSessionId, command: AgentSessionCommand) => Promise<unknown>,
  { mode = 'ai', tokenBudget = 10_000, attached, profileId, start, tier = 'team', ...opening }: Opening,
): Promise<Opened> {
  const account = opening.account ?? (await side.staff.account(tier));
  const { accountId, token } = account;
  const id = toId('agentSession', randomUUID());
  if (attached !== undefined) {
    const ports = { runner: side.staff.runner, clock: systemClock };
    await hold(
      ports,
      { sessionId: attached, agentSessionId: id, accountId, spawned: false },
      side.staff.context(),
    );
  }
  const sealed = start && (await side.vault.seal(accountId, `agent start ${id}`, JSON.stringify(start)));
  await run(id, {
    type: 'CreateAgentSession',
    agentSessionId: id,
    ...{ accountId, mode, tokenBudget, model: 'a-model', createdBy: accountId },
    attached: attached ?? null,
    // Passed by a test as the service returned it.
    profileId: (profileId ?? null) as `prof_${string}` | null,
    proxyId: null,
    sealedStart: sealed ?? null,
    opensInitialUrl: start?.initial_url !== undefined,
    at: new Date().toISOString(),
  });
  return { accountId, token, id };
}

function sealedIn({ data }: AgentSessionEvent): (readonly [string, string])[] {
  if (!('turnId' in data)) return [];
  const { turnId } = data;
  return [
    'sealedMessage' in data &&
      data.sealedMessage !== null &&
      ([sealedFields.message(turnId), data.sealedMessage] as const),
    'sealedAnswer' in data && ([sealedFields.answer(turnId), data.sealedAnswer] as const),
    'sealedPlan' in data && ([sealedFields.plan(turnId, data.round), data.sealedPlan] as const),
    'sealedResult' in data && ([sealedFields.result(turnId, data.index), data.sealedResult] as const),
  ].filter((each) => each !== false);
}

async function transcript(
  { vault }: WriteSide,
  accountId: AccountId,
  events: Promise<readonly AgentSessionEvent[]>,
): Promise<TranscriptEntry[]> {
  const entries: TranscriptEntry[] = [];
  for (const event of await events) {
    const entry = await entryOf(event, async (field, sealed) => {
      const opened = await vault.open(accountId, field, sealed);
      return 'erased' in opened ? null : opened.text;
    });
    if (entry === null) continue;
    if (entry.index !== entries.length) throw new Error(`The entry ${entry.index} has a gap before it.`);
    entries.push(entry.entry);
  }
  return entries;
}
