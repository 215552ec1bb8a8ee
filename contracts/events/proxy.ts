import { quotaEvents, recordAudit, recordEvent, recordTypes, type FieldsOf } from '../record.ts';
import { Type, Timestamp, closed, nullable, oneOf, type Static } from '../schema.ts';
import { category, type EventOf } from './catalogue.ts';

export const proxySchemes = ['http', 'https', 'socks5'] as const;

/** Why no request passes a proxy, as in `proxy-validation-failed`. */
export const proxyFailures = ['unreachable', 'auth_failed', 'timeout', 'egress_blocked'] as const;
export type ProxyFailure = (typeof proxyFailures)[number];

export const ProxyCheck = closed({
  ok: Type.Boolean(),
  reason: nullable(oneOf(proxyFailures)),
  at: Timestamp,
});
export type ProxyCheck = Static<typeof ProxyCheck>;

const fields = {
  label: Type.String(),
  scheme: oneOf(proxySchemes),
  host: Type.String(),
  port: Type.Integer({ minimum: 1, maximum: 65_535 }),
  username: nullable(Type.String()),
  /** Sealed with the account's data key, for this field only. */
  sealedPassword: nullable(Type.String()),
  /** The last check of the proxy's present address and credentials; null: none. */
  lastCheck: nullable(ProxyCheck),
};
const erasedHost = 'erased.invalid';
export type ProxyFields = FieldsOf<typeof fields>;

/** `proxy-<uuid>`: a proxy saved by an account for its sessions. */
export const proxyEvents = category(
  'proxy',
  {
    ...recordTypes('Proxy', 'proxy', fields),
    ProxyChecked: recordEvent('proxy', { check: ProxyCheck }),
    /** A label that was reserved for it at `since` was given to others: no request that relies on it can succeed any more. */
    ProxyReservationLapsed: recordEvent('proxy', { since: Timestamp }),
  },
  {
    personal: {
      ProxyCreated: { 'fields.label': '', 'fields.host': erasedHost, 'fields.username': null },
      ProxyChanged: { 'changes.label': '', 'changes.host': erasedHost, 'changes.username': null },
    },
    audit: {
      ...recordAudit<ProxyFields>('proxy', 'Proxy', ['label', 'scheme', 'host', 'port', 'username']),
      ProxyChecked: ({ id, check: { ok, reason } }) => ({
        action: 'proxy.checked',
        target: { type: 'proxy', id },
        payload: { ok, reason },
      }),
    },
  },
);
export type ProxyEvent = EventOf<typeof proxyEvents>;

/** `account_proxies-<account uuid>`: labels are unique within an account. */
export const accountProxiesEvents = quotaEvents('account_proxies', 'Proxy', 'proxy');
