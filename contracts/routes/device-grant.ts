import type { Route } from '../route.ts';
import * as oauth from '../resources/device-grant.ts';
import { area, ok } from './rows.ts';

const { read, write } = area({
  tag: 'OAuth',
  reads: [],
  writes: ['account_owner'],
  accountHeader: 'ignored',
});

export const oauthRoutes = [
  write('POST /v1/oauth/device_authorization', 'oauth.device-authorization', {
    summary: 'Request the authorisation of a device (RFC 8628)',
    scopes: null,
    bucket: 'auth:attempt',
    oauth: true,
    body: oauth.DeviceAuthorizationRequest,
    success: ok(oauth.DeviceAuthorization, 'The code to show, and the one to poll the token endpoint with.'),
    problems: [],
  }),
  write('POST /v1/oauth/token', 'oauth.token', {
    summary: 'Exchange an approved device code, or a refresh token, for tokens',
    scopes: null,
    bucket: 'oauth:token',
    oauth: true,
    body: oauth.TokenRequest,
    success: ok(oauth.OAuthTokens, 'Tokens of the device.'),
    problems: [],
  }),
  write('POST /v1/oauth/device', 'oauth.device', {
    summary: 'Approve or deny the device that shows a code',
    credentials: ['web_session'],
    bucket: 'oauth:device',
    body: oauth.DeviceAnswer,
    success: ok(oauth.AnsweredDevice, 'The answer to the device.'),
    problems: ['not-found'],
  }),
  read('GET /.well-known/oauth-authorization-server', 'oauth.metadata', {
    summary: 'Metadata for OAuth clients (RFC 8414)',
    scopes: null,
    bucket: null,
    success: ok(oauth.AuthorizationServer, 'The metadata.'),
    problems: [],
  }),
] as const satisfies readonly Route[];
