import { ProxyCheck, proxySchemes, type ProxyFields } from '../events/proxy.ts';
import { idSchema } from '../ids.ts';
import type { Stored } from '../record.ts';
import { Type, Timestamp, closed, nullable, oneOf, requestBody, type Static } from '../schema.ts';
import { textForms } from '../text-forms.ts';

/** Maximum saved proxies of an account. */
export const proxiesPerAccount = 50;

const Label = Type.String({ minLength: 1, maxLength: 120, pattern: textForms.notBlank.pattern });
/** A name or an address, IPv6 without brackets. */
const Host = Type.String({ minLength: 1, maxLength: 253, pattern: textForms.host.pattern });
const Port = Type.Integer({ minimum: 1, maximum: 65_535 });
/** User names (without a colon) and passwords that both HTTP Basic and SOCKS5 can carry. */
const Username = nullable(
  Type.String({ minLength: 1, maxLength: 255, pattern: textForms.proxyUser.pattern }),
);
const Password = nullable(
  Type.String({ minLength: 1, maxLength: 255, pattern: textForms.proxyPassword.pattern }),
);

export const CreateProxy = requestBody({
  label: Label,
  scheme: oneOf(proxySchemes),
  host: Host,
  port: Port,
  username: Type.Optional(Username),
  password: Type.Optional(Password),
});
export type CreateProxy = Static<typeof CreateProxy>;

/**
 * Null removes a credential; an omitted one stays. With another scheme, host, port or user name an omitted password is removed.
 */
export const UpdateProxy = requestBody(Type.Partial(CreateProxy).properties);
export type UpdateProxy = Static<typeof UpdateProxy>;

export const Proxy = closed({
  id: idSchema('proxy'),
  label: Type.String(),
  scheme: oneOf(proxySchemes),
  host: Type.String(),
  port: Type.Integer(),
  username: nullable(Type.String()),
  has_password: Type.Boolean(),
  last_check: nullable(ProxyCheck),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type Proxy = Static<typeof Proxy>;

/** A proxy with its password in clear: only for memory and the fleet protocol, never for events or logs. */
export const DialledProxy = closed({
  scheme: oneOf(proxySchemes),
  host: Type.String(),
  port: Port,
  username: nullable(Type.String()),
  password: nullable(Type.String()),
});
export type DialledProxy = Static<typeof DialledProxy>;

export const presentProxy = ({ id, fields, createdAt, updatedAt }: Stored<ProxyFields>): Proxy => ({
  id,
  label: fields.label,
  scheme: fields.scheme,
  host: fields.host,
  port: fields.port,
  username: fields.username,
  has_password: fields.sealedPassword !== null,
  last_check: fields.lastCheck,
  created_at: createdAt,
  updated_at: updatedAt,
});
