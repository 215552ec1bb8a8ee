import { quotaEvents, recordAudit, recordEvent, recordTypes, type FieldsOf } from '../record.ts';
import { Type, Timestamp, closed, nullable, oneOf, type Static } from '../schema.ts';
import { category, type EventOf } from './catalogue.ts';

export const proxySchemes = ['http', 'https', 'socks5'] as const;

/** Why nothing gets through a proxy, in the words of `proxy-validation-failed`. */
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
  /** With the account's data key, for this field alone. */
  sealedPassword: nullable(Type.String()),
  /** Of the proxy as it is: another address or credential has not been checked yet. */
  lastCheck: nullable(ProxyCheck),
};
const erasedHost = 'erased.invalid';
export type ProxyFields = FieldsOf<typeof fields>;

/** `proxy-<uuid>`: a proxy that an account has saved, for its sessions to go out through. */
export const proxyEvents = category(
  'proxy',
  {
    ...recordTypes('Proxy', 'proxy', fields),
    ProxyChecked: recordEvent('proxy', { check: ProxyCheck }),
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

/** `account_proxies-<account uuid>`: labels are unique in an account. */
export const accountProxiesEvents = quotaEvents('account_proxies', 'Proxy', 'proxy');
