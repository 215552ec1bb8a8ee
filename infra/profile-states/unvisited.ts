import { placeOf, siteNamed, type Site } from './layout.ts';
import { engineFilesOf } from './pack.ts';

/** By site: the parts of which the engine's files hold something. The empty site is for paths that name no origin. */
type Holdings = Map<Site, Set<string>>;

/**
 * What a restored state holds of sites that its session has not visited yet. Only their pages remove it, so all of it has to be
 * there at the end. Where paths name no origin, any page may have.
 */
export class UnvisitedSites {
  readonly #held: Holdings;

  private constructor(held: Holdings) {
    this.#held = held;
  }

  /** Of the state that was unpacked into the directory. */
  static async of(directory: string): Promise<UnvisitedSites> {
    return new UnvisitedSites(await holdingsIn(directory));
  }

  get sites(): readonly Site[] {
    return [...this.#held.keys()];
  }

  visit(site: Site): void {
    this.#held.delete(site);
    this.#held.delete('');
  }

  /** Whether the directory still has all of it. */
  async areIn(directory: string): Promise<boolean> {
    const left = await holdingsIn(directory);
    return [...this.#held].every(([site, parts]) => [...parts].every((part) => left.get(site)?.has(part)));
  }
}

async function holdingsIn(directory: string): Promise<Holdings> {
  const held: Holdings = new Map();
  for await (const { path, bytes } of engineFilesOf(directory)) {
    const { part, origin = '' } = placeOf(path);
    if (part === undefined || bytes === 0) continue;
    const site = siteNamed(origin);
    held.set(site, (held.get(site) ?? new Set()).add(`${part} ${origin}`));
  }
  return held;
}
