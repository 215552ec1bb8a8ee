/** The kinds of credentials: an API key, a browser's web session, and a device that its owner authorised. */
export const credentialKinds = ['api_key', 'web_session', 'device'] as const;
export type CredentialKind = (typeof credentialKinds)[number];

/** The kinds accepted by a route, as text. */
export const anyOfKinds = (kinds: readonly CredentialKind[]): string =>
  kinds.map((kind) => kindNames[kind]).join(' or ');

const kindNames: Readonly<Record<CredentialKind, string>> = {
  api_key: 'an API key',
  web_session: 'a web session',
  device: 'an authorised device',
};
