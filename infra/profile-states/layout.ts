import { stateParts, type StatePart } from '../../contracts/profile-state.ts';
import { Cookie } from '../../contracts/resources/session.ts';
import { Type, type Static } from '../../contracts/schema.ts';

/**
 * What an archive holds, in this order:
 *
 * | path                   | content                                                                  |
 * |------------------------|--------------------------------------------------------------------------|
 * | `manifest.json`        | `Manifest`                                                               |
 * | `cookies.json`         | `StoredCookies`: the jar, session cookies too, whose `expires` is null   |
 * | `session-storage.json` | `StoredSessions`: by origin, the keys and values                         |
 * | `data/…`               | the engine's own files, each with the time at which it was last written  |
 */
export const stateFormat = 'service-profile-state/1';
export const manifestFile = 'manifest.json';
export const cookiesFile = 'cookies.json';
export const sessionStorageFile = 'session-storage.json';
export const dataFolder = 'data';
export const ownFiles = [manifestFile, cookiesFile, sessionStorageFile] as const;
export type OwnFile = (typeof ownFiles)[number];

export const Manifest = Type.Object({ format: Type.Literal(stateFormat), engine: Type.String() });
export type Manifest = Static<typeof Manifest>;
/** Times are in milliseconds since 1970. */
export const StoredCookies = Type.Array(Cookie);
export type StoredCookies = Static<typeof StoredCookies>;
export const StoredSessions = Type.Record(Type.String(), Type.Record(Type.String(), Type.String()));
export type StoredSessions = Static<typeof StoredSessions>;

/** The part and origin of a file; neither for the engine's internal files. */
export interface FilePlace {
  readonly part?: StatePart;
  readonly origin?: string;
}

const partOfOwnFile: Readonly<Record<OwnFile, StatePart | undefined>> = {
  'manifest.json': undefined,
  'cookies.json': 'cookies',
  'session-storage.json': 'session_storage',
};

/**
 * The engine's folders below `data`, one per part, and the position of the origin in their paths. Cache storage
 * identifies an origin by a hash, so an origin that also has other data is counted twice. Service workers of all
 * origins share a database.
 */
const partFolders: Readonly<Record<string, { readonly part: StatePart; readonly origin?: RegExp }>> = {
  local_storage: { part: 'local_storage', origin: /^([^/]+)\.localstorage(?:-wal|-shm)?$/ },
  indexeddb: { part: 'indexeddb', origin: /^v[0-9]+\/([^/]+)\// },
  cache: { part: 'cache', origin: /^([^/]+)\// },
  service_workers: { part: 'service_workers' },
};

export const isOwnFile = (path: string): path is OwnFile => (ownFiles as readonly string[]).includes(path);

export function placeOf(path: string): FilePlace {
  if (isOwnFile(path)) return withPart(partOfOwnFile[path]);
  const [, folder = '', ...rest] = path.split('/');
  const known = partFolders[folder];
  if (!known) return {};
  const origin = known.origin?.exec(rest.join('/'))?.[1];
  return { part: known.part, ...(origin !== undefined && { origin }) };
}

/** An origin's name in the engine's paths. */
export function originName(origin: string): string {
  const { protocol, hostname, port } = new URL(origin);
  return `${protocol.slice(0, -1)}_${hostname}_${port || 0}`;
}

/** A host and its port, such as `example.test:443`. */
export type Site = string;

const defaultPorts: Readonly<Record<string, string>> = { http: '80', https: '443' };

/** The site of an origin's name in the engine's paths; empty for others, such as a hash. */
export function siteNamed(name: string): Site {
  const [, scheme = '', host, port = '0'] = /^(https?)_(.+)_([0-9]+)$/.exec(name) ?? [];
  return host === undefined ? '' : `${host}:${port === '0' ? defaultPorts[scheme] : port}`;
}

const withPart = (part: StatePart | undefined): FilePlace => (part === undefined ? {} : { part });

export const noBytes = (): Record<StatePart, number> =>
  Object.fromEntries(stateParts.map((part) => [part, 0])) as Record<StatePart, number>;
