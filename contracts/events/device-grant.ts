import { Type, Timestamp, closed, oneOf } from '../schema.ts';
import { idSchema } from '../ids.ts';
import { deviceClients, deviceScopes } from '../oauth.ts';
import { category, entryOn, type EventOf } from './catalogue.ts';

const accountId = idSchema('account');
const entry = entryOn('account');

const facts = { clientId: oneOf(deviceClients), scopes: Type.Array(oneOf(deviceScopes)) };
/** Seconds that the device has to leave between two polls. */
const intervalSeconds = Type.Integer({ minimum: 1 });

/**
 * `device_grant-<keyed hash of the user code>`: one run of the device flow (RFC 8628). Both codes lead to the stream, and
 * neither can be read off it: the user code by the stream's name, the device code because it carries the stream's uuid.
 */
export const deviceGrantEvents = category(
  'device_grant',
  {
    DeviceGrantRequested: closed({
      ...facts,
      /** HMAC of the device code under the deployment's pepper, hex. */
      deviceCode: Type.String(),
      intervalSeconds,
      expiresAt: Timestamp,
      at: Timestamp,
    }),
    /** The device has asked whether there is an answer, and there was none. */
    DeviceGrantPolled: closed({ at: Timestamp }),
    /** It has asked too soon, and has to leave more time from now on. */
    DeviceGrantSlowed: closed({ intervalSeconds, at: Timestamp }),
    DeviceGrantAuthorized: closed({
      ...facts,
      accountId,
      /** Of the account's sign-ins: a higher one has ended the device's session before it began. */
      epoch: Type.Integer({ minimum: 0 }),
      at: Timestamp,
    }),
    DeviceGrantDenied: closed({ ...facts, accountId, at: Timestamp }),
    /** The device code was exchanged for a session: it is good for nothing more. */
    DeviceGrantRedeemed: closed({ accountId, at: Timestamp }),
  },
  {
    audit: {
      DeviceGrantAuthorized: ({ accountId, clientId, scopes }) =>
        entry('auth.device_authorized', accountId, { client_id: clientId, scopes }),
      DeviceGrantDenied: ({ accountId, clientId }) =>
        entry('auth.device_denied', accountId, { client_id: clientId }),
    },
  },
);
export type DeviceGrantEvent = EventOf<typeof deviceGrantEvents>;
