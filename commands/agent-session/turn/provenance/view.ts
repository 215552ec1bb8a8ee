import { isCommon } from './common.ts';
import type { Heard } from './heard.ts';
import type { SaidByUser } from './said-by-user.ts';
import type { Site } from './site.ts';
import { isTelling } from './words.ts';

/** What was seen in a turn, for a decision about one receiving site. */
export class View {
  /** Sites whose words must not go there. */
  readonly foreign: readonly Site[];
  /** The sites whose pages were shown in the front tab. */
  readonly foreignPages: readonly Site[];
  readonly #heard: Heard;
  readonly #user: SaidByUser;
  readonly #own: readonly ReadonlySet<string>[];
  #strange: ReadonlySet<string> | undefined;

  /** `site` null: any site that was not seen. */
  constructor(site: Site | null, user: SaidByUser, heard: Heard) {
    this.#heard = heard;
    this.#user = user;
    // Both are named by the message.
    const mayTell = (from: Site) =>
      site !== null && (from === site || (user.names(from) && user.names(site)));
    this.foreign = heard.sites.filter((from) => !mayTell(from));
    this.foreignPages = this.foreign.filter((from) => heard.isPage(from));
    this.#own = heard.sites.filter(mayTell).map((from) => heard.wordsOf(from));
  }

  /** Whether a word comes neither from the user, nor from the site, nor from one whose words may go there. */
  isUnaccounted(word: string): boolean {
    return !this.#user.hasSaid(word) && !this.#own.some((words) => words.has(word));
  }

  isForeign(word: string): boolean {
    return this.foreign.some((from) => this.#heard.wordsOf(from).has(word));
  }

  /** Number of words of foreign sites: what a comparison with `strange` costs. */
  get size(): number {
    return this.foreign.reduce((sum, from) => sum + this.#heard.wordsOf(from).size, 0);
  }

  /** Words that identify a foreign site as their origin. */
  get strange(): ReadonlySet<string> {
    const isOwn = (word: string) => this.#own.some((words) => words.has(word));
    return (this.#strange ??= new Set(
      this.foreign.flatMap((from) =>
        [...this.#heard.wordsOf(from)].filter(
          (word) => isTelling(word) && !isCommon(word) && !isOwn(word) && this.#user.isStrange(word),
        ),
      ),
    ));
  }

  /** The foreign sites that have shown one of the words. */
  sayersOf(words: readonly string[]): readonly Site[] {
    return this.foreign.filter((from) => words.some((word) => this.#heard.wordsOf(from).has(word)));
  }
}
