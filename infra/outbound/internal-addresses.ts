import { isAddress, isThisMachine, plainAddress } from './address-policy.ts';
import type { Lookup } from './lookup.ts';

/** Where the parts of the installation listen: no customer reaches them, whatever is open. */
export interface InternalAddresses {
  /** Whether a connection to this address and port ends at a part of the installation. */
  has(address: string, port: number): boolean;
  /** Resolves once what is known is no older than it may be. Never rejects: what could not be learned stays as it was. */
  fresh(): Promise<void>;
}

export const noInternalAddresses: InternalAddresses = { has: () => false, fresh: () => Promise.resolve() };

export interface InternalAddressesOptions {
  /** `host:port`; a host is a name or an address, IPv6 in brackets. One on loopback is on every machine of the installation. */
  readonly own: readonly string[];
  /** What the other machines listen on, in the same form. */
  readonly others?: () => readonly string[] | Promise<readonly string[]>;
  readonly lookup: Lookup;
  /** Milliseconds until what is known is looked up anew. */
  readonly maxAgeMs?: number;
}

interface Place {
  readonly host: string;
  readonly port: number;
}

/** What is known: ports of this machine, at all its addresses, and places elsewhere. */
interface Known {
  readonly ports: ReadonlySet<number>;
  readonly places: ReadonlySet<string>;
}

export function createInternalAddresses(options: InternalAddressesOptions): InternalAddresses {
  const { own, others = () => [], lookup, maxAgeMs = 2_000 } = options;
  const found = new Map<string, readonly string[]>();
  let elsewhere: readonly string[] = [];
  let known = knownOf(own.map(placeOf), found);
  let readAt = -Infinity;
  let reading: Promise<void> | undefined;

  const read = async (): Promise<void> => {
    elsewhere = await Promise.resolve()
      .then(others)
      .catch(() => elsewhere);
    const places = [...own, ...elsewhere].map(placeOf);
    await Promise.all(
      [...new Set(places.map(({ host }) => host))]
        .filter((host) => !isAddress(host))
        .map(async (name) => found.set(name, await lookup(name).catch(() => found.get(name) ?? []))),
    );
    known = knownOf(places, found);
    readAt = performance.now();
  };
  return {
    has: (address, port) =>
      (known.ports.has(port) && isThisMachine(address)) || known.places.has(keyOf(address, port)),
    fresh: () => {
      if (performance.now() - readAt < maxAgeMs) return Promise.resolve();
      return (reading ??= read().finally(() => (reading = undefined)));
    },
  };
}

function placeOf(text: string): Place {
  const at = text.lastIndexOf(':');
  return { host: text.slice(0, at).replace(/^\[(.*)\]$/, '$1'), port: Number(text.slice(at + 1)) };
}

function knownOf(places: readonly Place[], found: ReadonlyMap<string, readonly string[]>): Known {
  const ports = new Set<number>();
  const elsewhere = new Set<string>();
  for (const { host, port } of places) {
    for (const address of isAddress(host) ? [host] : (found.get(host) ?? [])) {
      if (isThisMachine(address)) ports.add(port);
      else elsewhere.add(keyOf(address, port));
    }
  }
  return { ports, places: elsewhere };
}

const keyOf = (address: string, port: number): string => `${plainAddress(address)} ${port}`;
