import { isWithin } from '../outbound/address-policy.ts';
import { memoized } from '../platform/cache.ts';
import {
  createOutboundGuard,
  OutboundRefused,
  portOf,
  type OutboundGuardOptions,
} from '../outbound/guard.ts';
import { within } from '../platform/timeout.ts';

/** An allowed URL, and its addresses to dial. */
export interface ResolvedTarget {
  readonly url: URL;
  /** All of them are checked. Dial one of these, never the name. */
  readonly addresses: readonly string[];
}

/** The rule for addresses of endpoints. */
export interface WebhookTarget {
  /**
   * Resolves the host and checks all of its addresses. Throws `OutboundRefused` for one that is not allowed, and the resolver's
   * error if the name has no address. Must not be cached: resolve at each attempt.
   */
  resolve(url: string): Promise<ResolvedTarget>;
}

export interface WebhookTargetOptions extends OutboundGuardOptions {
  /** Timeout of a look-up in ms; then it fails with `ETIMEOUT`. Default: none, if the caller has a limit. */
  readonly patienceMs?: number;
}

/** In addition to the guard's rules: only https on its default port, unless every address of the host is inside `allow`. */
export function createWebhookTarget(options: WebhookTargetOptions = {}): WebhookTarget {
  const guard = createOutboundGuard(options);
  const { allow = [], patienceMs = Infinity } = options;
  const isWithinAllowed = memoized((address) => isWithin(address, allow));
  const checked = memoized((text) => {
    assertForm(text);
    return withPlainHost(guard.checkUrl(text));
  });
  return {
    async resolve(text) {
      const url = checked(text);
      const objection = objectionTo(url);
      if (objection !== undefined && allow.length === 0) throw new OutboundRefused(objection);
      const found = guard.resolve(url.hostname, portOf(url));
      const addresses = await (patienceMs === Infinity ? found : within(patienceMs, found, tooLong));
      if (objection !== undefined && !addresses.every(isWithinAllowed)) throw new OutboundRefused(objection);
      return { url, addresses };
    },
  };
}

/** A look-up cannot be aborted; its result is ignored. */
const tooLong = (): Error => Object.assign(new Error('The look-up takes too long.'), { code: 'ETIMEOUT' });

const longest = 2048;

/** Forms that URL parsers silently correct and that are probably mistakes: blanks; missing, extra or reversed slashes. */
function assertForm(text: string): void {
  if (text.length > longest)
    throw new OutboundRefused(`A webhook address has at most ${longest} characters.`);
  if (!/^https?:\/\/[^/]/i.test(text) || /[\s\p{Cc}\\]/u.test(text))
    throw new OutboundRefused(
      'A webhook address is absolute, begins with https:// and has no blanks or backslashes.',
    );
}

/** The URL without trailing dots of its host, which no certificate and no TLS handshake contain. */
function withPlainHost(url: URL): URL {
  const host = url.hostname.replace(/\.+$/, '');
  if (host.split('.').includes(''))
    throw new OutboundRefused('The host of a webhook address is a full name.');
  url.hostname = host;
  return url;
}

/** Why a receiver's address outside of the allowed ranges is invalid; undefined if it is valid. */
function objectionTo({ protocol, port }: URL): string | undefined {
  if (protocol !== 'https:')
    return 'Events are sent by https only; OUTBOUND_ALLOW opens plain http to ranges for development.';
  return port === ''
    ? undefined
    : 'Events are sent to port 443 only; OUTBOUND_ALLOW opens other ports of ranges for development.';
}
