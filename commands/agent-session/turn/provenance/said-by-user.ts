import { impliedBy } from './implied.ts';
import { labelOf, sitesIn, type Site } from './site.ts';
import { squashed, stemOf, wordsIn } from './words.ts';

/** Minimal length in letters and digits of a part of the user's words that is not there by chance. */
const leastPart = 5;

/** Words of the user: the message, its variables, and the earlier messages of people. */
export class SaidByUser {
  readonly #words: ReadonlySet<string>;
  readonly #stems: ReadonlySet<string>;
  readonly #whole: string;
  readonly #ofMessage: ReadonlySet<Site>;
  readonly #named: ReadonlySet<Site>;
  readonly #labels: ReadonlySet<string>;
  /** Cached results of searches in the user's words, which may be long. */
  readonly #within = new Map<string, boolean>();

  constructor(message: string, before: readonly string[], now: Date) {
    const all = [message, ...before];
    const words = new Set<string>();
    const implied = new Set<string>();
    for (const ofText of all.map(wordsIn)) {
      for (const word of ofText) words.add(word);
      for (const word of impliedBy(ofText, now)) implied.add(word);
    }
    this.#words = new Set([...words, ...implied]);
    this.#stems = new Set([...words].filter((word) => word.length >= 4).map(stemOf));
    this.#whole = all.map(squashed).join('\n');
    this.#ofMessage = sitesIn(message);
    this.#named = new Set(all.flatMap((text) => [...sitesIn(text)]));
    this.#labels = new Set(wordsIn(message).filter((word) => word.length >= 4));
  }

  /** Sites that people have named. */
  get named(): ReadonlySet<Site> {
    return this.#named;
  }

  /** Whether the message names the site by its host. */
  names(site: Site): boolean {
    return this.#ofMessage.has(site);
  }

  /** Whether people have named the site by its host or, in the message, without its ending. */
  mentions(site: Site): boolean {
    return this.#named.has(site) || this.#labels.has(labelOf(site));
  }

  /** Whether a word was said, in any form, or is implied. */
  hasSaid(word: string): boolean {
    if (this.#words.has(word) || (word.length >= 4 && this.#stems.has(stemOf(word)))) return true;
    return word.length >= leastPart && this.#isWithin(word);
  }

  #isWithin(word: string): boolean {
    const known = this.#within.get(word) ?? this.#whole.includes(word);
    this.#within.set(word, known);
    return known;
  }

  /** Whether a text was said literally, regardless of other characters than letters and digits. */
  hasSaidAll(text: string): boolean {
    const whole = squashed(text);
    return whole.length >= leastPart && this.#whole.includes(whole);
  }

  /** Whether a word was not said in any form. */
  isStrange(word: string): boolean {
    return !this.#words.has(word) && !(word.length >= 4 && this.#stems.has(stemOf(word)));
  }
}
