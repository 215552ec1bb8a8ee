import type { StateCensus } from '../../contracts/profile-state.ts';
import { parsedUrl } from '../../contracts/url.ts';
import type { CheckedFile } from './content.ts';
import { noBytes, originName, placeOf } from './layout.ts';

/** Counts the contents of a state, file by file. */
export class CensusTaker {
  readonly #parts = noBytes();
  readonly #origins = new Set<string>();
  #cookies = 0;

  add({ path, bytes, cookies, sessions }: CheckedFile): void {
    const { part, origin } = placeOf(path);
    if (part === undefined) return;
    this.#parts[part] += bytes;
    if (origin !== undefined && bytes > 0) this.#origins.add(origin);
    if (cookies) this.#cookies = cookies.length;
    for (const [site, values] of Object.entries(sessions ?? {}))
      if (Object.keys(values).length > 0) this.#origins.add(parsedUrl(site) ? originName(site) : site);
  }

  get census(): StateCensus {
    return { cookies: this.#cookies, origins: this.#origins.size, parts: { ...this.#parts } };
  }
}
