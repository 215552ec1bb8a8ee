import { isWithin } from '../outbound/address-policy.ts';
import { memoized } from '../platform/cache.ts';
import {
  createOutboundGuard,
  OutboundRefused,
  portOf,
  type OutboundGuardOptions,
} from '../outbound/guard.ts';
import { within } from '../platform/timeout.ts';

/** An address that may be called now, and where it may be dialled. */
export interface ResolvedTarget {
  readonly url: URL;
  /** All of them are checked. Dial one of these, never the name. */
  readonly addresses: readonly string[];
}

/** Which addresses events may be sent to. */
export interface WebhookTarget {
  /**
   * Looks the host up and judges every address of it. Throws `OutboundRefused` for what may not be called, and the
   * resolver's error when the name has no address. Results must not be cached: resolve at each attempt.
   */
  resolve(url: string): Promise<ResolvedTarget>;
}

export interface WebhookTargetOptions extends OutboundGuardOptions {
  /** Time limit of a look-up in ms; then it fails with `ETIMEOUT`. By default the caller has a limit. */
  readonly patienceMs?: number;
}

/** Beyond what the guard refuses: https on its own port only, unless every address of the host is inside `allow`. */
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

/** A resolver cannot be interrupted, only not be waited for. */
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

/** Without the dots at its end, which no certificate and no TLS handshake carry. */
function withPlainHost(url: URL): URL {
  const host = url.hostname.replace(/\.+$/, '');
  if (host.split('.').includes(''))
    throw new OutboundRefused('The host of a webhook address is a full name.');
  url.hostname = host;
  return url;
}

/** The reason why a receiver's address outside of the allowed ranges is invalid; undefined if it is valid. */
function objectionTo({ protocol, port }: URL): string | undefined {
  if (protocol !== 'https:')
    return 'Events are sent by https only; OUTBOUND_ALLOW opens plain http to ranges for development.';
  return port === ''
    ? undefined
    : 'Events are sent to port 443 only; OUTBOUND_ALLOW opens other ports of ranges for development.';
}
