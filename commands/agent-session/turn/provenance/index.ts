import type { Intent, Plan } from '../../../../contracts/resources/agent-turn.ts';
import type { Observation } from '../../../../contracts/resources/observation.ts';
import type { Variables } from '../../../../contracts/resources/variables.ts';
import { Heard } from './heard.ts';
import {
  approvedSites,
  decidedOf,
  digestsOf,
  nothingDecided,
  type Approvals,
  type Held,
  type KeyedDigests,
} from './held.ts';
import { Judge, type Place } from './judge.ts';
import type { Remembered } from './remembered.ts';
import { SaidByUser } from './said-by-user.ts';
import { nobody, siteOf, type Site } from './site.ts';
import { wordsIn } from './words.ts';

type Planned = Extract<Plan, { decision: 'plan' }>;

/** The intents of a plan that may be carried out, up to the first held one, and all held ones. */
export interface Judged {
  readonly intents: readonly Intent[];
  readonly held: readonly Held[];
}

/** Where an intent may be carried out, and why nowhere else. */
interface Limit extends Pick<Held, 'why' | 'from'> {
  readonly sites: readonly Site[];
}

/** Approvals and variables of a message. */
interface With {
  readonly approvals?: Approvals | undefined;
  readonly variables?: Variables | null;
}

/**
 * Tracks the origin of words in one turn: the user, or a site. A model's plan is limited to what the message asks for: words of one site
 * are sent to another only if the message names both, or if the user has approved it. Kept in memory, during the turn.
 */
export class Provenance {
  readonly #message: string;
  readonly #values: readonly string[];
  readonly #approvals: Approvals;
  readonly #digests: KeyedDigests;
  readonly #heard = new Heard();
  readonly #limits = new WeakMap<Intent, Limit>();
  #said: SaidByUser | undefined;
  #rules: Judge | undefined;
  #decided = nothingDecided;
  #page: Observation | null = null;
  #hasSeen = false;
  #held: readonly Held[] = [];

  /** `digests`: of what held intents send, so that approved ones are recognised without storing it. */
  constructor(message: string, digests: KeyedDigests, { approvals = [], variables = null }: With = {}) {
    this.#message = message;
    this.#values = Object.values(variables ?? {}).map(({ value }) => value);
    this.#approvals = approvals;
    this.#digests = digests;
  }

  /** Parsed on first use, because the grammar's turns do not need it. */
  get #user(): SaidByUser {
    return (this.#said ??= new SaidByUser(this.#message, this.#values, new Date(0)));
  }
  get #judge(): Judge {
    return (this.#rules ??= new Judge(this.#user, this.#heard));
  }

  /** Held intents of the last plan. */
  get held(): readonly Held[] {
    return this.#held;
  }

  /** Adds the conversation before the message. */
  begin(before: readonly Remembered[], now: Date): void {
    const users = before.filter(({ role }) => role !== 'agent').map(({ body }) => body);
    this.#said = new SaidByUser(this.#message, [...this.#values, ...users], now);
    this.#rules = new Judge(this.#said, this.#heard);
    for (const { role, body, heard } of before)
      if (role === 'agent' && heard?.length !== 0)
        this.#heard.quote(heard?.length === 1 ? (heard[0] ?? nobody) : nobody, [body]);
    // A turn that failed, as without a provider, has carried out nothing, and its message is sent again.
    const last = before.findLast(({ role, isProblem = false }) => role === 'agent' && !isProblem);
    this.#decided = decidedOf(last?.held ?? [], this.#approvals);
  }

  /** Adds a page as the model gets it, with what else happened during the previous intents. */
  see(page: Observation | null, news: readonly string[] = []): void {
    const before = this.#page === null ? null : siteOf(this.#page.url);
    const now = page === null ? null : siteOf(page.url);
    if (news.length > 0) this.#heard.quote(before === now ? now : nobody, news);
    if (page !== null) this.#heard.see(page);
    this.#hasSeen ||= page !== null;
    this.#page = page;
  }

  /** Adds the result of an intent. */
  did(intent: Intent, result: unknown): void {
    if (intent.kind !== 'navigate') return;
    const { final_url: address } = result as { readonly final_url?: unknown };
    if (typeof address === 'string') this.#heard.open(address);
  }

  /** Judges a plan by the page of the last look. Intents after a held one are judged too, so that one question covers all. */
  judge({ intents }: Planned): Judged {
    const held: Held[] = [];
    let free = intents.length;
    let front: Place['front'] = this.#page === null ? null : siteOf(this.#page.url);
    for (const [at, intent] of intents.entries()) {
      const one = this.#judgeOne(intent, { front, page: this.#page });
      if (one !== null) {
        held.push(one);
        free = Math.min(free, at);
      }
      front = afterwards(intent, front);
    }
    this.#held = held;
    return { intents: intents.slice(0, free), held };
  }

  #judgeOne(intent: Intent, place: Place): Held | null {
    const verdict = this.#judge.judge(intent, place);
    if (verdict.goes === 'anywhere') return null;
    const digests = digestsOf(this.#digests, intent, place.page);
    const approved = approvedSites(this.#decided, intent, { front: place.front, digests });
    if (verdict.goes === 'on') {
      const { sites } = verdict;
      this.#limits.set(intent, { sites: [...sites, ...approved], why: 'words', from: sites });
      return null;
    }
    const { why, from } = verdict;
    if (approved.length > 0) {
      this.#limits.set(intent, { sites: approved, why, from });
      return null;
    }
    const to = intent.kind === 'navigate' ? siteOf(intent.url) : place.front;
    return { intent, why, from, to, digest: digests[0] };
  }

  /** The only sites on which an intent may be carried out; undefined for any. */
  limitOf(intent: Intent): readonly Site[] | undefined {
    return this.#limits.get(intent)?.sites;
  }

  /**
   * An intent that a node has refused outside of its sites, with this one in front. If that is one of them, the field belongs to another: by
   * its frame or its form, which only the node sees, so no approval can name it.
   */
  heldAt(intent: Intent, here: Site | null): Held {
    const { sites = [], why = 'words', from = [] } = this.#limits.get(intent) ?? {};
    const [digest] = digestsOf(this.#digests, intent, this.#page);
    if (here !== null && sites.includes(here)) return { intent, why: 'field', from, to: null, digest };
    return { intent, why, from, to: here, digest };
  }

  /**
   * Sites whose words a text of the turn may contain; undefined if unknown. A failure may quote its page, which is unknown in a turn that
   * does not look at pages. `hasFailed`: whether a step has failed.
   */
  quotedIn(text: string, hasFailed: boolean): readonly Site[] | undefined {
    if (hasFailed && !this.#hasSeen) return undefined;
    const words = wordsIn(text).filter((word) => this.#user.isStrange(word));
    const pages = this.#heard.pages;
    const strange = words.filter((word) => !pages.some((site) => this.#heard.wordsOf(site).has(word)));
    const frames = this.#heard.sites.filter(
      (site) => !pages.includes(site) && strange.some((word) => this.#heard.wordsOf(site).has(word)),
    );
    return [...pages, ...frames];
  }
}

/** Intents that do not lead to another page. */
const stays: ReadonlySet<string> = new Set(['wait', 'capture', 'scroll', 'behavioral_pause']);
const staysActing: ReadonlySet<string> = new Set([
  'type',
  'clear',
  'focus',
  'select',
  'check',
  'scroll',
  'upload',
]);

/** The site in front after an intent; undefined if unknown. */
function afterwards(intent: Intent, front: Place['front']): Place['front'] {
  if (intent.kind === 'navigate') return siteOf(intent.url) ?? front;
  if (intent.kind === 'interact') return staysActing.has(intent.action.kind) ? front : undefined;
  return stays.has(intent.kind) ? front : undefined;
}
