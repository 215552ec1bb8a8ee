import { text } from 'node:stream/consumers';
import type { Readable } from 'node:stream';
import { parsedUrl } from '../../../contracts/url.ts';
import type { Cookie } from '../../../contracts/resources/session.ts';
import { Type, closed } from '../../../contracts/schema.ts';
import {
  cookiesFile,
  dataFolder,
  inspectState,
  manifestFile,
  originName,
  packFiles,
  readState,
  sessionStorageFile,
  stateFormat,
  type Manifest,
  type StateFile,
} from '../../profile-states/index.ts';
import type { LeftState } from '../node/driver.ts';
import { shape } from '../shape.ts';
import type { SimulatedPage } from './site.ts';

/** Identity of a cookie: a later one with the same key replaces it. */
export const keyOf = ({ domain, path = '/', name }: Pick<Cookie, 'domain' | 'path' | 'name'>): string =>
  JSON.stringify([domain, path, name]);

/** The cookies that have not expired. */
export const unexpired = (cookies: ReadonlyMap<string, Cookie>): Cookie[] =>
  [...cookies.values()].filter(({ expires }) => (expires ?? Infinity) > Date.now());

/** Site data in a browser. */
export class Leftovers {
  readonly cookies = new Map<string, Cookie>();
  readonly #storage = new Map<string, Record<string, string>>();

  localStorage(url: string): Record<string, string> {
    return { ...this.#storage.get(originOf(url)) };
  }

  /** Stores what the page leaves. Returns the page as it looks with the stored data. */
  by({ hostname, origin, searchParams }: URL, page: SimulatedPage): SimulatedPage {
    for (const [name, value] of Object.entries(page.cookies ?? {}))
      this.cookies.set(keyOf({ name, domain: hostname }), { domain: hostname, name, value, path: '/' });
    const stored = { ...this.#storage.get(origin), ...page.localStorage };
    this.#storage.set(origin, stored);
    if (!page.counts) return page;
    stored.count = String(Number(stored.count ?? 0) + 1);
    const visitor = searchParams.get('for');
    if (visitor !== null && !('for' in stored)) stored.for = visitor;
    return { ...page, elements: [...page.elements, { selectors: ['#count'], text: stored.count }] };
  }

  /** Archived in the layout that every driver's states have. */
  async leave(): Promise<LeftState> {
    const files = this.#files();
    const archive = () => packFiles(streamed(files));
    return { census: await inspectState(archive()), archive, remove: () => Promise.resolve() };
  }

  async restore(archive: Readable): Promise<void> {
    for await (const { path, cookies, content } of readState(archive)) {
      for (const cookie of cookies ?? []) this.cookies.set(keyOf(cookie), cookie);
      if (!path.startsWith(folder)) continue;
      const stored: unknown = JSON.parse(await text(content));
      if (isStored.is(stored)) this.#storage.set(stored.origin, stored.values);
    }
  }

  #files(): readonly (readonly [path: string, content: unknown])[] {
    const manifest: Manifest = { format: stateFormat, engine: 'simulated' };
    const stored = [...this.#storage].filter(([, values]) => Object.keys(values).length > 0);
    return [
      [manifestFile, manifest],
      [cookiesFile, unexpired(this.cookies)],
      [sessionStorageFile, {}],
      ...stored.map(
        ([origin, values]) => [`${folder}${originName(origin)}.localstorage`, { origin, values }] as const,
      ),
    ];
  }
}

const folder = `${dataFolder}/local_storage/`;
const isStored = shape(closed({ origin: Type.String(), values: Type.Record(Type.String(), Type.String()) }));

async function* streamed(files: readonly (readonly [string, unknown])[]): AsyncGenerator<StateFile> {
  for (const [path, value] of files) {
    const bytes = Buffer.from(JSON.stringify(value));
    yield { path, bytes: bytes.length, writtenAt: new Date(0), content: only(bytes) };
  }
}

async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

const originOf = (url: string): string => parsedUrl(url)?.origin ?? url;
