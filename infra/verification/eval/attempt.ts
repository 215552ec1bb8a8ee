import { randomUUID } from 'node:crypto';
import type { AgentSession } from '../../../contracts/resources/agent-session.ts';
import type { MessageAnswer } from '../../../contracts/resources/agent-turn.ts';
import { strangers } from './errands/strangers.ts';
import { unaskedOn, unmetOnSite } from './judge.ts';
import { localPages } from './local-pages.ts';
import { at, decideByPolicy, script } from './scripted.ts';
import { startEvalSite, type EvalSite } from './site.ts';
import type { Ends, Mode, Outcome, Task, Turn } from './task.ts';
import type { EvalTarget, Figures, Run } from './target.ts';
import { ToolRun } from './through-tools.ts';
import { allMet, Unmet, unmetIn } from './unmet.ts';

/** Result of one task in one mode. */
export interface Attempt extends Figures {
  readonly task: string;
  readonly topic: string;
  /** The mode; this is its name in the JSON report. */
  readonly lane: Mode;
  /** What was wrong; null if nothing was. */
  readonly problem: string | null;
  /** Actions that the task did not ask for. */
  readonly unasked: readonly string[];
}

/** Time limit of a message in milliseconds; a real model may be slow. */
const messageLimitMs = 5 * 60_000;

/** Runs a task in a new browser and on a new site, and checks the end state from outside. */
export async function attempt(target: EvalTarget, task: Task, mode: Mode): Promise<Attempt> {
  const site = await startEvalSite(task.site ?? localPages, strangers);
  const run = mode === 'tools' ? new ToolRun(target, site) : new AgentRun(target, site, mode);
  let problem: string | null = null;
  try {
    await run.open();
    for (const turn of task.turns) await run.say(turn);
    await run.check(task.ends);
  } catch (error) {
    if (!(error instanceof Unmet)) throw error;
    problem = error.message;
  } finally {
    await run.close();
    await site.close();
  }
  const unasked = unaskedOn(task.ends, site);
  return { task: task.name, topic: task.topic, lane: mode, problem, unasked, ...run.figures };
}

interface Reply {
  readonly status: number;
  readonly text: string;
}

class AgentRun implements Run {
  readonly #target: EvalTarget;
  readonly #site: EvalSite;
  readonly #mode: Mode;
  #session: AgentSession | undefined;
  #figures = {
    rounds: 0,
    steps: 0,
    inputTokens: 0,
    outputTokens: 0,
    costCents: null as number | null,
    seconds: 0,
  };

  constructor(target: EvalTarget, site: EvalSite, mode: Mode) {
    this.#target = target;
    this.#site = site;
    this.#mode = mode;
  }

  get figures() {
    return this.#figures;
  }

  async open(): Promise<void> {
    const { model } = this.#target;
    this.#session = await this.#json('POST', '/v1/agent-sessions', { mode: 'ai', ...(model && { model }) });
  }

  async close(): Promise<void> {
    if (this.#session) await this.#call('DELETE', this.#path(''));
  }

  async say(turn: Turn): Promise<void> {
    const isGrammar = this.#mode === 'grammar';
    this.#prepare(turn);
    const body = { user_message: at(this.#site, isGrammar ? turn.sentences : turn.says) };
    const begun = performance.now();
    const answer = await this.#json<MessageAnswer>('POST', this.#path('/message'), body, {
      'idempotency-key': randomUUID(),
      ...(!isGrammar && this.#target.modelKey && { 'x-byok-llm-api-key': this.#target.modelKey }),
    });
    this.#figures.seconds += (performance.now() - begun) / 1000;
    this.#session = answer.session;
    this.#count(answer);
    const expected = turn.outcomes?.[this.#mode] ?? ['done'];
    const outcome = outcomeOf(answer);
    if (!expected.includes(outcome))
      throw new Unmet(`${outcome} instead of ${expected.join(' or ')}: ${wordsOf(answer)}`);
    if (turn.answer && !isGrammar && outcome === 'done') await this.#checkAnswer(turn.answer);
  }

  #prepare(turn: Turn): void {
    const { provider } = this.#target;
    if (this.#mode === 'scripted' && provider) script(provider, this.#site, turn);
    if (this.#mode === 'policy' && provider) decideByPolicy(provider);
  }

  #count(answer: MessageAnswer): void {
    if (answer.kind === 'plan-executed') this.#figures.steps += answer.results.length;
    if (answer.kind === 'logged-manual') return;
    this.#figures.rounds += answer.rounds ?? 1;
    if (answer.usage === undefined) return;
    const {
      provider_input_tokens: input = 0,
      provider_output_tokens: output = 0,
      cost_usd_cents: cost,
    } = answer.usage;
    this.#figures.inputTokens += input;
    this.#figures.outputTokens += output;
    if (cost !== undefined) this.#figures.costCents = (this.#figures.costCents ?? 0) + cost;
  }

  async #checkAnswer(expected: RegExp): Promise<void> {
    const { data } = await this.#json<Transcript>('GET', this.#path('/transcript?limit=100'));
    const said = data.findLast(({ entry }) => entry.role === 'agent')?.entry.body ?? '';
    if (!expected.test(said)) throw new Unmet(`the answer is: ${said}`);
  }

  async check(ends: Ends): Promise<void> {
    await allMet(() => this.#unmet(ends));
  }

  /** The first unmet expectation; undefined if all are met. */
  async #unmet(ends: Ends): Promise<string | undefined> {
    return (
      unmetOnSite(ends, this.#site) ?? (await this.#unmetOnPage(ends)) ?? (await this.#unmetInService(ends))
    );
  }

  async #unmetOnPage(ends: Ends): Promise<string | undefined> {
    const browser = `/v1/sessions/${this.#session?.service_session_id ?? 'none'}`;
    const { url } = await this.#json<{ url: string }>('GET', `${browser}/state`);
    const schema = { properties: { text: { type: 'string', 'x-selector': 'body' } } };
    const { data } = await this.#json<{ data: { text?: string } }>('POST', `${browser}/extract`, { schema });
    return unmetIn({ url, text: data.text ?? '' }, ends);
  }

  async #unmetInService({ downloads, secrets = [] }: Ends): Promise<string | undefined> {
    if (downloads !== undefined) {
      const { files } = await this.#json<{ files: { name: string }[] | null }>(
        'GET',
        this.#path('/downloads'),
      );
      const names = (files ?? []).map(({ name }) => name);
      if (names.join() !== downloads.join()) return `the downloads are ${names.join() || 'none'}`;
    }
    if (secrets.length === 0) return undefined;
    const { text } = await this.#call('GET', this.#path('/transcript?limit=100'));
    return secrets.some((secret) => text.includes(secret)) ? 'the transcript has a secret' : undefined;
  }

  readonly #path = (rest: string): string => `/v1/agent-sessions/${this.#session?.id ?? 'none'}${rest}`;

  async #json<T = AgentSession>(
    method: string,
    path: string,
    body?: object,
    headers: object = {},
  ): Promise<T> {
    const { status, text } = await this.#call(method, path, body, headers);
    if (status >= 300) throw new Unmet(`${method} ${path} answered ${status}: ${text.slice(0, 300)}`);
    // Answers are not validated here; the service's own tests check them against the contract.
    return JSON.parse(text) as T;
  }

  async #call(method: string, path: string, body?: object, headers: object = {}): Promise<Reply> {
    const response = await fetch(`${this.#target.baseUrl}${path}`, {
      method,
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${this.#target.apiKey}`,
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(messageLimitMs),
    });
    return { status: response.status, text: await response.text() };
  }
}

interface Transcript {
  readonly data: readonly { readonly entry: { readonly role: string; readonly body: string } }[];
}

function outcomeOf(answer: MessageAnswer): Outcome {
  switch (answer.kind) {
    case 'plan-executed':
      if (answer.clarifying_question !== undefined) return 'asked';
      if (answer.refuse_reason !== undefined) return 'refused';
      return answer.ok ? 'done' : 'halted';
    case 'clarify':
      return 'asked';
    case 'refuse':
      return 'refused';
    case 'logged-manual':
      return 'halted';
  }
}

function wordsOf(answer: MessageAnswer): string {
  switch (answer.kind) {
    case 'plan-executed': {
      const last = answer.results.at(-1);
      const said = answer.clarifying_question ?? answer.refuse_reason;
      if (said !== undefined) return said;
      return last?.kind === 'failure' ? last.reason : 'all of it was carried out';
    }
    case 'clarify':
      return answer.clarifying_question;
    case 'refuse':
      return answer.refuse_reason;
    case 'logged-manual':
      return 'the session is in manual mode';
  }
}
