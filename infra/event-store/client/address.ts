/** The address of the store, and the credentials of its calls. */
export interface StoreAddress {
  /** A connection string for the client. */
  readonly url: string;
  /** Value of the authorization header. */
  readonly authorization?: string;
}

const plainLoopback =
  /^(?<scheme>esdb(?:\+discover)?:\/\/)(?<user>[^:@/]+):(?<password>[^@/]+)@(?<rest>(?:127\.0\.0\.1|localhost)[:/?].*[?&]tls=false(?:&.*)?)$/i;

/**
 * The client knows KurrentDB's addresses by their former scheme only. It drops an address's credentials without TLS. Loopback
 * cannot be eavesdropped on, and the embedded event store requires a password, so there they are sent here.
 */
export function addressOf(given: string): StoreAddress {
  const url = given.replace(/^kurrentdb(?=(\+discover)?:)/, 'esdb');
  const { scheme, user, password, rest } = plainLoopback.exec(url)?.groups ?? {};
  if (user === undefined || password === undefined) return { url };
  const credentials = [user, password].map(decodeURIComponent).join(':');
  return {
    url: `${scheme}${rest}`,
    authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
  };
}
