import { Type, Timestamp, closed, oneOf } from '../schema.ts';
import { idSchema } from '../ids.ts';
import { deviceClients, deviceScopes } from '../oauth.ts';
import { category, entryOn, type EventOf } from './catalogue.ts';

const accountId = idSchema('account');
const entry = entryOn('account');

const facts = { clientId: oneOf(deviceClients), scopes: Type.Array(oneOf(deviceScopes)) };
/** Minimum seconds between two polls. */
const intervalSeconds = Type.Integer({ minimum: 1 });

/**
 * `device_grant-<keyed hash of the user code>`: one run of the device flow (RFC 8628). Both codes lead to the stream, and neither
 * can be derived from it: the stream's name is a keyed hash of the user code, and the device code contains the stream's uuid.
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
    /** The device has polled without an answer yet. */
    DeviceGrantPolled: closed({ at: Timestamp }),
    /** The device has polled too early, and has to wait longer from now on. */
    DeviceGrantSlowed: closed({ intervalSeconds, at: Timestamp }),
    DeviceGrantAuthorized: closed({
      ...facts,
      accountId,
      /** Login epoch of the account: once it is higher, a session of this grant counts as ended. */
      epoch: Type.Integer({ minimum: 0 }),
      at: Timestamp,
    }),
    DeviceGrantDenied: closed({ ...facts, accountId, at: Timestamp }),
    /** The device code was exchanged for a session, and is void. */
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
