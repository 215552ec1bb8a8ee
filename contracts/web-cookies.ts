interface CookieNames {
  readonly name: string;
  /** Over plain http, and of the names of earlier releases. */
  readonly path: string;
  /** Names that earlier releases set over https, the newest first. A neighbouring host can set them too. */
  readonly earlier: readonly string[];
}

export type WebCookie = 'session' | 'refresh';

/**
 * The cookies of a web session, with the same tokens that clients without cookies send themselves. Only sign-in routes read the
 * refresh token. Over https their names begin with `__Host-`: browsers accept such a cookie only with `Secure`, `Path=/` and
 * without `Domain`, so that no neighbouring host can set it (RFC 6265bis, 4.1.3).
 */
export const webCookies: Readonly<Record<WebCookie, CookieNames>> = {
  session: { name: 'service_session', path: '/', earlier: ['service_session'] },
  refresh: {
    name: 'service_refresh',
    path: '/v1/auth',
    earlier: ['__Secure-service_refresh', 'service_refresh'],
  },
};

/** Hosts of URLs that are this machine. */
export const loopbackHosts: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Whether cookies are `Secure`: always, except for a base URL of plain http on loopback, where browsers would drop them and plain
 * http is safe.
 */
export function hasSecureCookies(baseUrl: string | undefined): boolean {
  if (baseUrl === undefined) return true;
  const { protocol, hostname } = new URL(baseUrl);
  return protocol !== 'http:' || !loopbackHosts.has(hostname);
}

export function cookieName(cookie: WebCookie, isSecure: boolean): string {
  const { name } = webCookies[cookie];
  return isSecure ? `__Host-${name}` : name;
}

export const cookiePath = (cookie: WebCookie, isSecure: boolean): string =>
  isSecure ? '/' : webCookies[cookie].path;
