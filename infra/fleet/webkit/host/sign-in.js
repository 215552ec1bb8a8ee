import WebKit2 from 'gi://WebKit2?version=4.1';

/**
 * HTTP authentication. Credentials belong to the origin that they were given for, and stay in memory until the browser ends. Without
 * matching credentials, the 401 response is shown as the page.
 */
export function createSignIn() {
  const credentials = new Map();
  return {
    remember: ({ origin, username, password }) => credentials.set(origin, { username, password }),
    follow: ({ view }) =>
      view.connect('authenticate', (_view, request) => {
        const known = credentials.get(originOf(request.get_security_origin()));
        const usable = known !== undefined && !request.is_for_proxy() && !request.is_retry();
        const { FOR_SESSION } = WebKit2.CredentialPersistence;
        request.authenticate(
          usable ? WebKit2.Credential.new(known.username, known.password, FOR_SESSION) : null,
        );
        return true;
      }),
  };
}

/** `scheme://host:port`, with an explicit port even if it is the scheme's default. */
function originOf(origin) {
  const scheme = origin.get_protocol();
  return `${scheme}://${origin.get_host()}:${origin.get_port() || (scheme === 'https' ? 443 : 80)}`;
}
