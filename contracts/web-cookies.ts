/**
 * The cookies of a web session. Both hold what clients without cookies send themselves; the refresh token goes to signing in alone.
 * A browser takes a name with a prefix only over https, from the host itself: `__Host-` for the whole host, `__Secure-` for a path
 * (RFC 6265bis, 4.1.3). No page of a neighbouring host can set one.
 */
export const webCookies = {
  session: { name: 'service_session', prefix: '__Host-', path: '/' },
  refresh: { name: 'service_refresh', prefix: '__Secure-', path: '/v1/auth' },
} as const;

export type WebCookie = keyof typeof webCookies;

const loopback: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Whether cookies are `Secure`: always, but at a base address that is plain http on loopback, where browsers would not keep them and
 * plain http is no danger.
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
