import { parsedUrl } from '../../contracts/url.ts';
import { isAddress, isReachable, type AllowedRange } from './address-policy.ts';
import { noInternalAddresses, type InternalAddresses } from './internal-addresses.ts';
import { lookupAll, type Lookup } from './lookup.ts';
import { memoized } from '../platform/cache.ts';

/** The guard refused an address. The message is safe to show: it names the requested host, not its resolved address. */
export class OutboundRefused extends Error {
  override readonly name = 'OutboundRefused';
}

/** Restricts outbound connections on behalf of customers. */
export interface OutboundGuard {
  /**
   * Checks the text alone: its form, and an IP address as its host. Does not check names, not even `localhost`. Throws
   * `OutboundRefused`.
   */
  checkText(text: string): URL;
  /** Checks everything that needs no resolver. Throws `OutboundRefused`. */
  checkUrl(text: string): URL;
  /**
   * The addresses of a host to dial, the first 32 of a name, at this port; null if no customer chooses the port. Throws
   * `OutboundRefused` if any of them is not allowed, and the resolver's error if there are none. Dial one of these, never the
   * name, which may resolve to something else a moment later.
   */
  resolve(hostname: string, port: number | null): Promise<readonly string[]>;
}

/** Maximum addresses of a name that are checked and dialled. A name server may send thousands. */
const mostAddresses = 32;

export interface OutboundGuardOptions {
  /** Allowed ranges that are not public: `OUTBOUND_ALLOW`. */
  readonly allow?: readonly AllowedRange[];
  /** Always refused, even in an allowed range. */
  readonly internal?: InternalAddresses;
  readonly lookup?: Lookup;
}

/** The port of a URL. */
export const portOf = ({ protocol, port }: URL): number => Number(port || (protocol === 'https:' ? 443 : 80));

export function createOutboundGuard({
  allow = [],
  internal = noInternalAddresses,
  lookup = lookupAll,
}: OutboundGuardOptions = {}): OutboundGuard {
  const ask = oneLookupEach(lookup);
  const bareHost = memoized(bareHostOf);
  const isOpen = memoized((address) => isReachable(address, allow));
  const addressIn = (hostname: string) => (isAddress(bareHost(hostname)) ? [bareHost(hostname)] : undefined);
  const literalOf = memoized((hostname): readonly string[] | undefined => {
    const name = bareHost(hostname);
    if (isAddress(name)) return [name];
    return name === 'localhost' || name.endsWith('.localhost') ? ['127.0.0.1'] : undefined;
  });
  const check = (hostname: string, port: number | null, addresses: readonly string[]) => {
    if (addresses.length === 0) throw nothingFound(hostname);
    if (!addresses.every(isOpen)) throw notPublic(bareHost(hostname));
    if (port !== null && internal.has(addresses, port)) throw ownPort(bareHost(hostname), port);
    return addresses;
  };
  const checkedBy = (find: typeof literalOf) => (text: string) => {
    const url = parseHttpUrl(text);
    const found = find(url.hostname);
    if (found) check(url.hostname, portOf(url), found);
    return url;
  };
  return {
    checkText: checkedBy(addressIn),
    checkUrl: checkedBy(literalOf),
    resolve: async (hostname, port) => {
      const [addresses] = await Promise.all([
        literalOf(hostname) ?? ask(bareHost(hostname)),
        port === null ? undefined : internal.fresh(),
      ]);
      return check(hostname, port, addresses.slice(0, mostAddresses));
    },
  };
}

const notPublic = (host: string) =>
  new OutboundRefused(
    `The address of ${host} is not allowed: it is not public. OUTBOUND_ALLOW opens ranges for development.`,
  );
const ownPort = (host: string, port: number) =>
  new OutboundRefused(`Port ${port} of ${host} is not allowed: it is the service's own.`);

/** Single flight per name: a hanging name server occupies one thread. */
function oneLookupEach(lookup: Lookup): Lookup {
  const asked = new Map<string, Promise<readonly string[]>>();
  return (hostname) => {
    const found = asked.get(hostname) ?? lookup(hostname).finally(() => asked.delete(hostname));
    asked.set(hostname, found);
    return found;
  };
}

/** Forms that URL parsers silently correct and that are probably mistakes: missing, extra or reversed slashes. */
const hasHost = /^https?:\/\/[^/\\?#]/i;

function parseHttpUrl(text: string): URL {
  const url = hasHost.test(text.trim()) ? parsedUrl(text) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new OutboundRefused('Only absolute http and https addresses can be opened.');
  }
  if (url.username !== '' || url.password !== '') {
    throw new OutboundRefused('An address with a user name or password in it cannot be opened.');
  }
  return url;
}

/** The host without brackets, trailing dots and capitals; IPv4 addresses are normalised to four decimals. */
function bareHostOf(hostname: string): string {
  const name = hostname
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.+$/, '')
    .toLowerCase();
  if (name.includes(':')) return name.replace(/%.*$/, '');
  return parsedUrl(`http://${name}/`)?.hostname ?? name;
}

/** Error for a name without addresses: some resolvers answer with an empty list. */
const nothingFound = (hostname: string): Error =>
  Object.assign(new Error(`${hostname} has no address.`), { code: 'ENOTFOUND' });
