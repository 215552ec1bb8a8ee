import type { Intent } from '../../../contracts/resources/agent-turn.ts';
import type { ToolAnswer } from '../../mcp/testing/connection.ts';
import { tokensOf } from '../../mcp/tokens.ts';
import { grammar } from '../../model/grammar/grammar.ts';
import { clients, type ToolClient } from '../mcp/clients.ts';
import { unmetOnSite } from './judge.ts';
import { at } from './scripted.ts';
import type { EvalSite } from './site.ts';
import type { EvalTarget, Run } from './target.ts';
import type { Ends, Outcome, Turn } from './task.ts';
import { allMet, Unmet, unmetIn } from './unmet.ts';

type Structured = ToolAnswer['structured'];
interface Shown {
  readonly ref: string;
  readonly role: string;
  readonly name: string;
}
type Action = { readonly kind: string } & Readonly<Record<string, unknown>>;

/** More than one element has the name in the sentence. */
class Ambiguous extends Error {}

/** Schema with which `extract` returns the page's text. */
const wholeText = { type: 'object', properties: { text: { type: 'string', 'x-selector': 'body' } } };

/**
 * An MCP client that executes the sentences of a turn as a model with tools would: it looks, finds each element by role and
 * name in the answer, and acts by its ref. An element that the look does not list is named as in the sentence.
 */
export class ToolRun implements Run {
  readonly #target: EvalTarget;
  readonly #site: EvalSite;
  /** All answers. */
  readonly #told: string[] = [];
  #client: ToolClient | undefined;
  #session = '';
  figures = { rounds: 0, steps: 0, inputTokens: 0, outputTokens: 0, costCents: null, seconds: 0 };

  constructor(target: EvalTarget, site: EvalSite) {
    this.#target = target;
    this.#site = site;
  }

  async open(): Promise<void> {
    this.#client = await clients['HTTP, 2026'](this.#target);
    this.#session = String((await this.#does('open_browser')).session);
  }

  async close(): Promise<void> {
    if (this.#session !== '') await this.#call('close_browser');
    await this.#client?.close();
  }

  async say(turn: Turn): Promise<void> {
    const understood = grammar(at(this.#site, turn.sentences));
    if (!understood.covers) throw new Error(`The grammar does not cover: ${understood.rest}`);
    const expected = turn.outcomes?.tools ?? ['done'];
    const [outcome, why] = await this.#doAll(understood.intents);
    if (!expected.includes(outcome))
      throw new Unmet(`${outcome} instead of ${expected.join(' or ')}: ${why}`);
  }

  async check(ends: Ends): Promise<void> {
    await allMet(async () => unmetOnSite(ends, this.#site) ?? (await this.#unmet(ends)));
  }

  async #doAll(intents: readonly Intent[]): Promise<readonly [Outcome, string]> {
    for (const intent of intents) {
      this.figures.steps += 1;
      try {
        const { isError, text } = await this.#doOne(intent);
        if (isError) return ['halted', text];
      } catch (error) {
        if (error instanceof Ambiguous) return ['asked', error.message];
        throw error;
      }
    }
    return ['done', ''];
  }

  async #doOne(intent: Intent): Promise<ToolAnswer> {
    switch (intent.kind) {
      case 'navigate':
        return this.#act({ kind: 'go', url: intent.url });
      case 'capture':
        return this.#call('save_page', { as: 'png' });
      case 'interact':
        return this.#interact({ ...intent.action });
      case 'wait':
      case 'scroll':
        return this.#act(intent);
      case 'behavioral_pause':
        return this.#act({ kind: 'wait', ms: intent.duration_ms });
    }
  }

  /** Acts by ref; if the element is gone, by its name in the sentence, as the answer suggests. */
  async #interact(action: Action): Promise<ToolAnswer> {
    const answer = await this.#act(await this.#byRef(action));
    return answer.isError && answer.text.includes('There is no element') ? this.#act(action) : answer;
  }

  #act(action: Action): Promise<ToolAnswer> {
    return this.#call('act', { actions: [action] });
  }

  async #byRef(action: Action): Promise<Action> {
    const { role, name, text, label, placeholder, selector, ...rest } = action;
    const isTyped = action.kind === 'type';
    const wanted = name ?? label ?? placeholder ?? (isTyped ? undefined : text);
    if (selector !== undefined || wanted === undefined) return action;
    const { elements } = await this.#does('look');
    const found = (elements as readonly Shown[]).filter(
      (each) => each.name === wanted && (role === undefined || each.role === role),
    );
    if (found.length > 1)
      throw new Ambiguous(`There are ${found.length} of the name ${JSON.stringify(wanted)}.`);
    const [only] = found;
    return only === undefined ? action : { ...rest, ...(isTyped && { text }), ref: only.ref };
  }

  async #unmet(ends: Ends): Promise<string | undefined> {
    const { url } = await this.#does('look');
    const { data } = await this.#does('extract', { schema: wholeText });
    const page = { url: String(url), text: (data as { readonly text?: string }).text ?? '' };
    return unmetIn(page, ends) ?? (await this.#unmetBeside(ends));
  }

  async #unmetBeside({ downloads, secrets = [] }: Ends): Promise<string | undefined> {
    if (downloads !== undefined) {
      const { files } = await this.#does('files');
      const names = (files as readonly { readonly name: string }[]).map(({ name }) => name).join();
      if (names !== downloads.join()) return `the downloads are ${names || 'none'}`;
    }
    const has = (secret: string) => this.#told.some((text) => text.includes(secret));
    return secrets.some(has) ? 'an answer has a secret' : undefined;
  }

  async #does(tool: string, args: object = {}): Promise<Structured> {
    const { isError, text, structured } = await this.#call(tool, args);
    if (isError) throw new Unmet(`${tool}: ${text}`);
    return structured;
  }

  async #call(tool: string, args: object = {}): Promise<ToolAnswer> {
    if (this.#client === undefined) throw new Error('It is not open.');
    const whole = { ...(this.#session !== '' && { session: this.#session }), ...args };
    const begun = performance.now();
    const answer = await this.#client.call(tool, whole);
    this.figures.seconds += (performance.now() - begun) / 1000;
    const told = `${answer.text}${JSON.stringify(answer.structured)}`;
    this.#told.push(told);
    this.figures.rounds += 1;
    this.figures.inputTokens += tokensOf(told);
    this.figures.outputTokens += tokensOf(JSON.stringify(whole));
    return answer;
  }
}
