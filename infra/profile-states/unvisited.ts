import { placeOf, siteNamed, type Site } from './layout.ts';
import { engineFilesOf } from './pack.ts';

/** By site: the parts with data in the engine's files. The empty site is for paths without an origin. */
type Holdings = Map<Site, Set<string>>;

/**
 * A restored state's data of sites that its session has not visited yet. Only their own pages can remove it, so all of it must
 * exist at the end. Data in paths without an origin may be removed by any page.
 */
export class UnvisitedSites {
  readonly #held: Holdings;

  private constructor(held: Holdings) {
    this.#held = held;
  }

  /** Reads the state that was unpacked into the directory. */
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

  /** Whether the directory still contains all of it. */
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
