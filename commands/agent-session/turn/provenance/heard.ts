import type { Observation } from '../../../../contracts/resources/observation.ts';
import { hrefOf, nobody, siteOf, urlOf, type Site } from './site.ts';
import { unescaped, wordsIn } from './words.ts';

/** What is remembered of one turn. What is over it is not known to have been said, which keeps more back, not less. */
const most = { words: 150_000, links: 5000, sites: 200 } as const;

interface Voice {
  readonly words: Set<string>;
  /** Whether a page of it was in front. Else it was in a frame of another one. */
  isPage: boolean;
}

/** What sites have said to the model in a turn, and where what they said leads. */
export class Heard {
  readonly #voices = new Map<Site, Voice>();
  readonly #links = new Set<string>();
  readonly #origins = new Set<string>();
  readonly #linked = new Set<Site>();
  #words = 0;

  /** Sites of which a page was in front, or whose words the conversation quotes. */
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

  /** Whether a link, a form or a redirect has led to the address as it stands. */
  hasLink(address: string): boolean {
    return this.#links.has(hrefOf(address));
  }

  /** Whether one has led to its host and port. */
  hasOrigin(origin: string): boolean {
    return this.#origins.has(origin);
  }

  /** Whether one has led to the site. */
  leadsTo(site: Site): boolean {
    return this.#linked.has(site) || this.isPage(site);
  }

  /** A page as a model is told of it. */
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

  /** Where an address has led to in the end. */
  open(address: string): void {
    this.#link(address);
    this.#say(siteOf(address), [address], true);
  }

  /** Words that came beside a page; of nobody where it is not known of which. */
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
