/**
 * The cookies of a web session, with the same tokens that clients without cookies send themselves; the refresh token is sent only
 * to sign-in routes. A browser accepts a prefixed name only over https, from the host itself: `__Host-` for the whole host,
 * `__Secure-` for a path (RFC 6265bis, 4.1.3), so that no page of a neighbouring host can set it.
 */
export const webCookies = {
  session: { name: 'service_session', prefix: '__Host-', path: '/' },
  refresh: { name: 'service_refresh', prefix: '__Secure-', path: '/v1/auth' },
} as const;

export type WebCookie = keyof typeof webCookies;

const loopback: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Whether cookies are `Secure`: always, except for a base URL of plain http on loopback, where browsers would drop them and plain
 * http is safe.
 */
export function hasSecureCookies(baseUrl: string | undefined): boolean {
  if (baseUrl === undefined) return true;
  const { protocol, hostname } = new URL(baseUrl);
  return protocol !== 'http:' || !loopback.has(hostname);
}

export function cookieName(cookie: WebCookie, isSecure: boolean): string {
  const { name, prefix } = webCookies[cookie];
  return isSecure ? prefix + name : name;
}
