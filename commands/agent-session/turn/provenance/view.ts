import { isCommon } from './common.ts';
import type { Heard } from './heard.ts';
import type { SaidByUser } from './said-by-user.ts';
import type { Site } from './site.ts';
import { isTelling } from './words.ts';

/** What was heard in a turn, as seen from a site that something is to be sent to. */
export class View {
  /** Sites whose words may not go there. */
  readonly foreign: readonly Site[];
  /** Of these, those of which a page was in front. */
  readonly foreignPages: readonly Site[];
  readonly #heard: Heard;
  readonly #user: SaidByUser;
  readonly #own: readonly ReadonlySet<string>[];
  #strange: ReadonlySet<string> | undefined;

  /** `site` null: any of those that have not been heard. */
  constructor(site: Site | null, user: SaidByUser, heard: Heard) {
    this.#heard = heard;
    this.#user = user;
    // The message names both.
    const mayTell = (from: Site) =>
      site !== null && (from === site || (user.names(from) && user.names(site)));
    this.foreign = heard.sites.filter((from) => !mayTell(from));
    this.foreignPages = this.foreign.filter((from) => heard.isPage(from));
    this.#own = heard.sites.filter(mayTell).map((from) => heard.wordsOf(from));
  }

  /** Neither the user has said it nor the site, nor one that may tell it. */
  isUnaccounted(word: string): boolean {
    return !this.#user.hasSaid(word) && !this.#own.some((words) => words.has(word));
  }

  isForeign(word: string): boolean {
    return this.foreign.some((from) => this.#heard.wordsOf(from).has(word));
  }

  /** Words by which one could tell that they come from elsewhere. */
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

  /** The foreign sites that have said one of the words. */
  sayersOf(words: readonly string[]): readonly Site[] {
    return this.foreign.filter((from) => words.some((word) => this.#heard.wordsOf(from).has(word)));
  }
}
