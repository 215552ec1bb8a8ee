import { Type, closed, oneOf, requestBody, type Static } from '../schema.ts';
import { deviceClients, deviceGrantType, deviceScopes, grantTypes } from '../oauth.ts';

const scope = Type.String({
  maxLength: 200,
  description: `${deviceScopes.map((each) => `\`${each}\``).join(' and ')}, separated by a space; by default both.`,
});
const clientId = Type.String({
  maxLength: 200,
  description: `A public client: \`${deviceClients.join('`, `')}\`.`,
});
const seconds = Type.Integer({ minimum: 0 });

export const DeviceAuthorizationRequest = requestBody({ client_id: clientId, scope: Type.Optional(scope) });
export const DeviceAuthorization = closed({
  device_code: Type.String(),
  user_code: Type.String({ description: 'The code that the owner types; dashes and case are ignored.' }),
  verification_uri: Type.String(),
  verification_uri_complete: Type.String(),
  expires_in: seconds,
  interval: seconds,
});
export type DeviceAuthorization = Static<typeof DeviceAuthorization>;

export const TokenRequest = requestBody({
  grant_type: Type.String({ maxLength: 200, description: `\`${grantTypes.join('` or `')}\`.` }),
  client_id: Type.Optional(clientId),
  device_code: Type.Optional(Type.String({ maxLength: 512, description: `With \`${deviceGrantType}\`.` })),
  refresh_token: Type.Optional(Type.String({ maxLength: 512, description: 'With `refresh_token`.' })),
});
export const OAuthTokens = closed({
  access_token: Type.String(),
  token_type: oneOf(['Bearer']),
  expires_in: seconds,
  refresh_token: Type.String({ description: 'Works once; its use returns the next one.' }),
  scope: Type.String(),
});
export type OAuthTokens = Static<typeof OAuthTokens>;

export const DeviceAnswer = requestBody({
  user_code: Type.String({ minLength: 1, maxLength: 64 }),
  approve: Type.Boolean(),
});
export const AnsweredDevice = closed({
  client_id: Type.String(),
  scope: Type.String(),
  status: oneOf(['authorized', 'denied']),
});
export type AnsweredDevice = Static<typeof AnsweredDevice>;

/** RFC 8414. */
export const AuthorizationServer = closed({
  issuer: Type.String(),
  device_authorization_endpoint: Type.String(),
  token_endpoint: Type.String(),
  scopes_supported: Type.Array(Type.String()),
  response_types_supported: Type.Array(Type.String(), {
    description: 'None: there is no authorization endpoint.',
  }),
  grant_types_supported: Type.Array(Type.String()),
  token_endpoint_auth_methods_supported: Type.Array(Type.String()),
  service_documentation: Type.String(),
});
export type AuthorizationServer = Static<typeof AuthorizationServer>;

/** Metadata of the authorization server (RFC 8414). */
export const authorizationServerAt = (issuer: string): AuthorizationServer => ({
  issuer,
  device_authorization_endpoint: `${issuer}/v1/oauth/device_authorization`,
  token_endpoint: `${issuer}/v1/oauth/token`,
  scopes_supported: [...deviceScopes],
  response_types_supported: [],
  grant_types_supported: [...grantTypes],
  token_endpoint_auth_methods_supported: ['none'],
  service_documentation: `${issuer}/openapi.json`,
});
