import type { Observation } from '../../../../contracts/resources/observation.ts';
import { hrefOf, nobody, siteOf, urlOf, type Site } from './site.ts';
import { unescaped, wordsIn } from './words.ts';

/**
 * Maximum words, links and sites remembered in a turn. The origin of anything beyond is unknown, so more intents are
 * held, not fewer.
 */
const most = { words: 150_000, links: 5000, sites: 200 } as const;

interface Voice {
  readonly words: Set<string>;
  /** Whether a page of the site was in front, not only a frame in another page. */
  isPage: boolean;
}

/** Words that sites have shown to the model in a turn, and the addresses that they lead to. */
export class Heard {
  readonly #voices = new Map<Site, Voice>();
  readonly #links = new Set<string>();
  readonly #origins = new Set<string>();
  readonly #linked = new Set<Site>();
  #words = 0;

  /** Sites with a page in front, or quoted by the conversation. */
  get pages(): readonly Site[] {
    return [...this.#voices].flatMap(([site, { isPage }]) => (isPage ? [site] : []));
  }

  get sites(): readonly Site[] {
    return [...this.#voices.keys()];
  }

  isSite(site: Site): boolean {
    return this.#voices.has(site);
  }

  isPage(site: Site): boolean {
    return this.#voices.get(site)?.isPage === true;
  }

  wordsOf(site: Site): ReadonlySet<string> {
    return this.#voices.get(site)?.words ?? new Set();
  }

  /** Whether a link, form or redirect has led to exactly this address. */
  hasLink(address: string): boolean {
    return this.#links.has(hrefOf(address));
  }

  /** Whether one has led to this host and port. */
  hasOrigin(origin: string): boolean {
    return this.#origins.has(origin);
  }

  /** Whether one has led to the site. */
  leadsTo(site: Site): boolean {
    return this.#linked.has(site) || this.isPage(site);
  }

  /** Adds a page as the model gets it. */
  see(page: Observation): void {
    const front = siteOf(page.url);
    this.#link(page.url);
    for (const link of page.links ?? []) this.#link(link);
    const ownWords = page.voices === undefined ? [saidBy(page)] : [];
    this.#say(front, [page.url, page.title, ...ownWords], true);
    for (const { url, said } of page.voices ?? []) {
      const site = siteOf(url) ?? (url === page.url ? front : nobody);
      this.#say(site, [said, ...(site === front ? [] : [url])], site === front);
    }
    for (const link of page.links ?? []) this.#say(siteOf(page.url), [link], true);
  }

  /** Adds the final address of a navigation. */
  open(address: string): void {
    this.#link(address);
    this.#say(siteOf(address), [address], true);
  }

  /** Adds words from beside a page; those of an unknown site if `site` is null. */
  quote(site: Site | null, said: readonly string[]): void {
    this.#say(site ?? nobody, said, true);
  }

  #link(address: string): void {
    const site = siteOf(address);
    if (site === null || this.#links.size >= most.links) return;
    this.#links.add(hrefOf(address));
    this.#origins.add(urlOf(address)?.origin ?? '');
    this.#linked.add(site);
  }

  #say(site: Site | null, said: readonly string[], isPage: boolean): void {
    if (site === null) return;
    const voice = this.#voiceOf(site);
    voice.isPage ||= isPage;
    for (const word of said.flatMap((text) => wordsIn(unescaped(text)))) {
      if (this.#words >= most.words) return;
      if (voice.words.has(word)) continue;
      voice.words.add(word);
      this.#words += 1;
    }
  }

  #voiceOf(site: Site): Voice {
    const known = this.#voices.get(site);
    if (known !== undefined) return known;
    const isFull = this.#voices.size >= most.sites;
    const voice = (isFull ? this.#voices.get(nobody) : undefined) ?? { words: new Set(), isPage: isFull };
    this.#voices.set(isFull ? nobody : site, voice);
    return voice;
  }
}

const saidBy = ({ text, headings, elements, dialog }: Observation): string =>
  [
    ...[text, ...headings, dialog ?? ''],
    ...elements.flatMap(({ name, value = '', options = [] }) => [name, value, ...options]),
  ].join('\n');
