import { refuse, type Refusal } from './problems.ts';

/** Clients and scopes of the device flow (RFC 8628). */
export const deviceClients = ['service-desktop'] as const;
export type DeviceClient = (typeof deviceClients)[number];

export const deviceScopes = ['read:sessions', 'write:sessions'] as const;
export type DeviceScope = (typeof deviceScopes)[number];

export const deviceGrantType = 'urn:ietf:params:oauth:grant-type:device_code';
export const grantTypes = [deviceGrantType, 'refresh_token'] as const;

/** Errors of the token endpoint (RFC 6749, 5.2; RFC 8628, 3.5), each with its description. */
export const oauthErrors = {
  invalid_request: 'The request is not as RFC 6749 and RFC 8628 ask for.',
  invalid_client: 'The client is not known.',
  invalid_grant: 'The code or token is not good, or no longer.',
  invalid_scope: `A device may have the scopes ${deviceScopes.join(' and ')}.`,
  unsupported_grant_type: `The grant types are ${grantTypes.join(' and ')}.`,
  authorization_pending: 'The owner has not answered yet.',
  slow_down: 'This was asked too soon. Wait five seconds longer from now on.',
  access_denied: 'The owner has said no.',
  expired_token: 'The device code has expired.',
} as const;
export type OAuthError = keyof typeof oauthErrors;

/** A refusal with the `error` member that OAuth clients dispatch on. */
export const oauthRefusal = (error: OAuthError, detail: string = oauthErrors[error]): Refusal =>
  refuse('bad-request', detail, { error });
