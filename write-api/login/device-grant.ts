import type { DeviceGrantCommands, RequestedGrant } from '../../commands/device-grant/index.ts';
import type { IssuedTokens } from '../../commands/web-session/index.ts';
import { deviceGrantType, oauthRefusal } from '../../contracts/oauth.ts';
import type {
  AnsweredDevice,
  DeviceAuthorization,
  OAuthTokens,
} from '../../contracts/resources/device-grant.ts';
import { anyoneContext } from '../engine/authentication.ts';
import type { Handling, HandlersOf } from '../engine/handling.ts';

type Routes = 'oauth.device-authorization' | 'oauth.token' | 'oauth.device';

/**
 * The routes of the device flow.
 *
 * @param verificationUri the page on which owners enter the code
 */
export function oauthHandlers(
  grants: DeviceGrantCommands,
  verificationUri: string,
  { answering, answeringAnyone }: Handling,
): HandlersOf<Routes> {
  return {
    'oauth.device-authorization': answeringAnyone(async ({ body, request }) => {
      const requested = await grants.request(body.client_id, body.scope, anyoneContext(request));
      return { body: shownOnDevice(requested, verificationUri) };
    }),
    'oauth.token': answeringAnyone(async ({ body, request }) => {
      const context = anyoneContext(request);
      const { grant_type, client_id, device_code, refresh_token } = body;
      if (grant_type === deviceGrantType) {
        const code = given('device_code', device_code);
        return tokens(await grants.redeem(code, given('client_id', client_id), request, context));
      }
      if (grant_type === 'refresh_token') {
        const token = given('refresh_token', refresh_token);
        return tokens(await grants.refresh(token, client_id, request, context));
      }
      throw oauthRefusal('unsupported_grant_type');
    }),
    'oauth.device': answering(async ({ caller: { accountId, context }, body }) => {
      const answered = await grants.answer(accountId, body.user_code, body.approve, context);
      const { clientId, scopes, approved, position } = answered;
      const status = approved ? 'authorized' : 'denied';
      const answer: AnsweredDevice = { client_id: clientId, scope: scopes.join(' '), status };
      return { body: answer, position };
    }),
  };
}

const shownOnDevice = (
  { deviceCode, userCode, expiresInSeconds, intervalSeconds }: RequestedGrant,
  verificationUri: string,
): DeviceAuthorization => ({
  device_code: deviceCode,
  user_code: userCode,
  verification_uri: verificationUri,
  verification_uri_complete: `${verificationUri}?user_code=${userCode}`,
  expires_in: expiresInSeconds,
  interval: intervalSeconds,
});

function given(name: string, value: string | undefined): string {
  if (value === undefined || value === '') throw oauthRefusal('invalid_request', `${name} is missing.`);
  return value;
}

function tokens(issued: IssuedTokens) {
  const body: OAuthTokens = {
    access_token: issued.accessToken,
    token_type: 'Bearer',
    expires_in: issued.expiresInSeconds,
    refresh_token: issued.refreshToken,
    scope: issued.scopes.join(' '),
  };
  return { body, position: issued.position };
}
