import WebKit2 from 'gi://WebKit2?version=4.1';

/**
 * HTTP authentication. Credentials are for the origin they were given with, and for as long as the browser lives; they are in its
 * memory only. Who has none, or the wrong ones, gets the answer that asks for them, as its page.
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

/** As `scheme://host:port`, with the port said also where it is the scheme's own. */
function originOf(origin) {
  const scheme = origin.get_protocol();
  return `${scheme}://${origin.get_host()}:${origin.get_port() || (scheme === 'https' ? 443 : 80)}`;
}
