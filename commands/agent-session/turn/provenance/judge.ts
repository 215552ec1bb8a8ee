import type { Intent } from '../../../../contracts/resources/agent-turn.ts';
import type { Observation } from '../../../../contracts/resources/observation.ts';
import { isCommon } from './common.ts';
import { disguises, isPartOfCode, isSpread, joins } from './disguises.ts';
import type { Heard } from './heard.ts';
import type { SaidByUser } from './said-by-user.ts';
import { sentBy } from './sent.ts';
import { nobody, siteOf, urlOf, type Site } from './site.ts';
import { View } from './view.ts';
import { isCode, unescaped, wordsIn } from './words.ts';

/** Why an intent needs approval; `field`: what it would fill belongs to another site than the page. */
export type Reason = 'address' | 'carries' | 'words' | 'made_up' | 'clipboard' | 'field';

export type Verdict =
  | { readonly goes: 'anywhere' }
  /** The action is allowed in documents of these sites only. */
  | { readonly goes: 'on'; readonly sites: readonly Site[] }
  /** `from`: sites whose words it contains. */
  | { readonly goes: 'nowhere'; readonly why: Reason; readonly from: readonly Site[] };

/** The page for which an intent is judged. */
export interface Place {
  /** The site in front; undefined if an earlier intent may have led elsewhere. */
  readonly front: Site | null | undefined;
  readonly page: Observation | null;
}

/**
 * Number of characters per turn, in words of one or two characters without an origin, that may go to a site after
 * pages of other sites were seen. Quantities are such words, and so need no approval. A plan can leak no more than
 * these characters in pieces.
 */
const freeCharacters = 4;
const isFree = (word: string): boolean => word.length <= 2;

/** Maximal length of words that are also judged together, across intents. */
const longestPiece = 3;

/**
 * Maximal comparisons in a turn: characters that are sent, times words of other sites. A page can show 150,000 words, and other accounts
 * wait for each comparison. After that, whatever would have to be compared needs approval.
 */
const mostCompared = 20_000_000;
/** Added to the characters of each text: finding what to compare it with. */
const charactersOfAny = 10;

/** Words that are common in addresses. */
const ofAddresses = /\b(?:www|index|html?|php|search|query|page)\b/gi;

const anywhere: Verdict = { goes: 'anywhere' };

/** Decides where the data of a plan's intents may go, one intent after the other. */
export class Judge {
  readonly #user: SaidByUser;
  readonly #heard: Heard;
  #free = freeCharacters;
  /** Short words in the order of sending. */
  #pieces = '';
  /** The last invented words that were sent while a foreign site was known. */
  #madeUp: readonly string[] = [];
  /** The same words in their original spelling, joined. */
  #texts = '';
  #compared = 0;

  constructor(user: SaidByUser, heard: Heard) {
    this.#user = user;
    this.#heard = heard;
  }

  judge(intent: Intent, place: Place): Verdict {
    const sent = sentBy(intent, place.page);
    switch (sent?.kind) {
      case undefined:
        return anywhere;
      case 'address':
        return this.#judgeAddress(sent.address);
      case 'clipboard':
        return { goes: 'nowhere', why: 'clipboard', from: [] };
      case 'press':
        return this.#judgePress(sent.text, place);
      case 'text':
        return this.#judgeText(sent.text, place);
    }
  }

  readonly #viewFrom = (site: Site | null): View => new View(site, this.#user, this.#heard);

  #judgeAddress(address: string): Verdict {
    const site = siteOf(address);
    // An address outside the web is refused at its dispatch.
    if (site === null || this.#heard.hasLink(address)) return anywhere;
    const isLedTo = this.#heard.sites.length === 0 || this.#heard.leadsTo(site) || this.#user.mentions(site);
    if (!isLedTo) return { goes: 'nowhere', why: 'address', from: [] };
    const carried = this.#carriedBy(address, site);
    for (const view of [this.#viewFrom(null), this.#viewFrom(site)])
      if (this.#accepts(view, site, carried)) return this.#spent(view, carried, anywhere);
    return {
      goes: 'nowhere',
      why: 'carries',
      from: this.#viewFrom(site).sayersOf(wordsIn(unescaped(carried))),
    };
  }

  /** The data in an address beside its site. */
  #carriedBy(address: string, site: Site): string {
    const url = urlOf(address);
    if (url === null) return '';
    const { hostname, port, username, password, pathname, search, hash, origin } = url;
    const sub = site.startsWith('=') ? '' : hostname.slice(0, -site.length);
    const host = this.#heard.hasOrigin(origin) ? '' : `${sub} ${port}`;
    return `${host} ${username} ${password} ${pathname}${search}${hash}`.replace(ofAddresses, ' ');
  }

  #judgePress(name: string, { front }: Place): Verdict {
    const words = wordsIn(name);
    if (words.join('').length > longestPiece) return anywhere;
    const view = this.#viewFrom(front ?? null);
    const hasOthers = front ? view.foreign.length > 0 : this.#heard.pages.length > 1;
    if (hasOthers && (this.#isTooMuch(name, view) || this.#spells(words, view)))
      return { goes: 'nowhere', why: 'words', from: view.foreign };
    this.#add(words);
    return anywhere;
  }

  #judgeText(text: string, place: Place): Verdict {
    const toAny = this.#viewFrom(null);
    if (this.#accepts(toAny, null, text)) return this.#spent(toAny, text, anywhere);
    const sites = this.#sitesThatMayGet(text);
    const [here] = sites.filter((site) => isShown(site, place));
    if (here !== undefined) return this.#spent(this.#viewFrom(here), text, { goes: 'on', sites });
    const from = this.#viewFrom(place.front ?? null).sayersOf(this.#unsaid(text));
    return { goes: 'nowhere', why: from.length > 0 ? 'words' : 'made_up', from };
  }

  /**
   * The known or named sites that may get a text. Of many named sites that were not seen, one is judged for all, because they only differ
   * in whether the message names them.
   */
  #sitesThatMayGet(text: string): readonly Site[] {
    const known = new Set([...this.#heard.sites, ...this.#user.named]);
    known.delete(nobody);
    const unheard = [...known].filter((site) => !this.#heard.isSite(site));
    const accepts = (site: Site): boolean => this.#accepts(this.#viewFrom(site), site, text);
    const ofMessage = unheard.filter((site) => this.#user.names(site));
    const ofOthers = unheard.filter((site) => !this.#user.names(site));
    return [
      ...this.#heard.sites.filter((site) => site !== nobody && accepts(site)),
      ...[ofMessage, ofOthers].flatMap((alike) => (alike[0] !== undefined && accepts(alike[0]) ? alike : [])),
    ];
  }

  #unsaid(text: string): readonly string[] {
    return wordsIn(unescaped(text)).filter((word) => !isFree(word) && !this.#user.hasSaid(word));
  }

  /** Whether a text may go to a site; null: to any site. */
  #accepts(view: View, site: Site | null, text: string): boolean {
    const { foreign, foreignPages } = view;
    if (foreign.length === 0 || this.#user.hasSaidAll(text)) return true;
    const words = wordsIn(unescaped(text));
    const rest = words.filter((word) => view.isUnaccounted(word));
    const madeUp = rest.filter((word) => !isFree(word));
    if (madeUp.length > 0 && !this.#mayBeMadeUp(madeUp, view, site)) return false;
    if (foreignPages.length > 0 && lengthOf(rest.filter(isFree)) > this.#free) return false;
    return !this.#isTooMuch(text, view) && !this.#hides(text, madeUp, view) && !this.#spells(words, view);
  }

  /** Whether the turn has used up what it may compare. */
  #isTooMuch(text: string, { size }: View): boolean {
    this.#compared += (text.length + charactersOfAny) * size;
    return this.#compared > mostCompared;
  }

  /** Whether a text contains a strange word in a disguise, or in parts together with earlier texts. */
  #hides(text: string, madeUp: readonly string[], view: View): boolean {
    const { strange } = view;
    const strung = this.#texts + this.#strangeIn(text, view);
    if (this.#texts !== '' && disguises(strung, strange)) return true;
    if (madeUp.length === 0) return joins(wordsIn(unescaped(text)), strange);
    return (
      madeUp.some((word) => isPartOfCode(word, strange)) ||
      isSpread([...this.#madeUp, ...madeUp], strange) ||
      disguises(text, strange)
    );
  }

  /** Whether words may be a model's own: if no other site's page was seen or, without codes, if the user has named the site. */
  #mayBeMadeUp(words: readonly string[], view: View, site: Site | null): boolean {
    const isOfOthers = (word: string) => view.isForeign(word) && !isCommon(word);
    if (site === null || words.some(isOfOthers)) return false;
    return view.foreignPages.length === 0 || (this.#user.named.has(site) && !words.some(isCode));
  }

  /** Whether short words, together with earlier ones, spell a strange word, or much of a long one. */
  #spells(words: readonly string[], { strange }: View): boolean {
    let pieces = this.#pieces;
    return words.some((word) => {
      pieces = withPiece(pieces, word).slice(-2 * longestRun);
      return word.length <= longestPiece && [...strange].some((each) => isSpelledBy(pieces, each));
    });
  }

  /** Parts of a text without an origin, in their original spelling. */
  #strangeIn(text: string, view: View): string {
    const runs = unescaped(text).match(/[\p{L}\p{N}]+/gu) ?? [];
    return runs.filter((run) => wordsIn(run).some((word) => view.isUnaccounted(word))).join('');
  }

  /** Records what an accepted text uses up of the free characters. */
  #spent(view: View, text: string, verdict: Verdict): Verdict {
    const words = wordsIn(unescaped(text));
    const rest = this.#user.hasSaidAll(text) ? [] : words.filter((word) => view.isUnaccounted(word));
    if (view.foreignPages.length > 0) this.#free -= lengthOf(rest.filter(isFree));
    if (view.foreign.length > 0 && rest.length > 0) {
      this.#madeUp = [...this.#madeUp, ...rest].slice(-longestRun);
      this.#texts = (this.#texts + this.#strangeIn(text, view)).slice(-longestRun);
    }
    this.#add(words);
    return verdict;
  }

  #add(words: readonly string[]): void {
    this.#pieces = words.reduce(withPiece, this.#pieces).slice(-longestRun);
  }
}

/** Maximal remembered characters of short words, and number of invented words. */
const longestRun = 200;
/**
 * Whether the pieces contain the word, or end with much of a long one: four characters of a code, five of any other
 * word.
 */
function isSpelledBy(pieces: string, word: string): boolean {
  const last = pieces.slice(isCode(word) ? -4 : -5);
  return (
    pieces.includes(word) ||
    (word.length >= 6 && last.length >= (isCode(word) ? 4 : 5) && word.includes(last))
  );
}

/** Skips longer and common words, which may stand between the pieces. */
const withPiece = (pieces: string, word: string): string =>
  word.length > longestPiece || (word.length > 1 && isCommon(word)) ? pieces : pieces + word;
const lengthOf = (words: readonly string[]): number => words.join('').length;

/** Whether the site is in front or in a frame of the page; true if unknown. */
const isShown = (site: Site, { front, page }: Place): boolean =>
  front === undefined || site === front || (page?.voices ?? []).some(({ url }) => siteOf(url) === site);
