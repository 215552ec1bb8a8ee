import { isIP } from 'node:net';
import type { Kind } from './kinds.ts';

/** The first and the last port. */
export const portRange: Kind<readonly [number, number]> = {
  takes: 'two ports with a dash between them, the smaller one first, such as `40000-40999`',
  parse: (text) => {
    const [, first, last] = /^(\d{1,5})-(\d{1,5})$/.exec(text) ?? [];
    const [from, to] = [Number(first), Number(last)];
    return from >= 1 && from < to && to <= 65_535 ? [from, to] : undefined;
  },
};

/** At least one. */
export const ipAddresses: Kind<readonly string[]> = {
  takes: 'IP addresses, separated by commas',
  parse: (text) => {
    const addresses = text.split(',').map((address) => address.trim());
    return addresses.every((address) => isIP(address) !== 0) ? addresses : undefined;
  },
};

export interface IceServer {
  readonly urls: readonly string[];
  readonly username?: string;
  readonly credential?: string;
}

/** TURN servers have passwords. */
export const iceServers: Kind<readonly IceServer[]> = {
  takes: 'a JSON array of servers, each `{"urls": ["turn:…"], "username": "…", "credential": "…"}`',
  parse: (text) => {
    try {
      const servers: unknown = JSON.parse(text);
      return Array.isArray(servers) && servers.every(isIceServer) ? servers : undefined;
    } catch {
      return undefined;
    }
  },
  secret: true,
};

const isIceServer = (value: unknown): value is IceServer =>
  typeof value === 'object' &&
  value !== null &&
  'urls' in value &&
  Array.isArray(value.urls) &&
  value.urls.every((each) => typeof each === 'string' && /^(stuns?|turns?):\S+$/.test(each)) &&
  Object.entries(value).every(
    ([name, given]) =>
      name === 'urls' || (['username', 'credential'].includes(name) && typeof given === 'string'),
  );
