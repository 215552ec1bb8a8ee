import { anyIsThisMachine, isAddress, isThisMachine, plainAddress } from './address-policy.ts';
import type { Lookup } from './lookup.ts';

/** Addresses of the installation's own listeners, always refused for customers. */
export interface InternalAddresses {
  /** Whether a connection to one of these addresses, at this port, ends at a part of the installation. */
  has(addresses: readonly string[], port: number): boolean;
  /** Refreshes addresses that are too old. Never rejects: after a failure the known ones stay. */
  fresh(): Promise<void>;
}

export const noInternalAddresses: InternalAddresses = { has: () => false, fresh: () => Promise.resolve() };

export interface InternalAddressesOptions {
  /**
   * `host:port`; a host is a name or an address, IPv6 in brackets. A loopback host counts on every machine of the installation.
   */
  readonly own: readonly string[];
  /** Addresses of other machines, in the same form. */
  readonly others?: () => readonly string[] | Promise<readonly string[]>;
  readonly lookup: Lookup;
  /** Maximum age of the known addresses, in milliseconds. */
  readonly maxAgeMs?: number;
}

interface Place {
  readonly host: string;
  readonly port: number;
}

/** Ports of this machine, at all its addresses, and addresses elsewhere. */
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
    has: (addresses, port) =>
      (known.ports.has(port) && anyIsThisMachine(addresses)) ||
      addresses.some((address) => known.places.has(keyOf(address, port))),
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
