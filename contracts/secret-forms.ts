/**
 * The formats of the service's secrets. Code that creates or parses one takes its marker or alphabet from here, and the log masks
 * every text of these formats, so that no secret can be logged.
 */

const base62 = '[0-9A-Za-z]';
const base64url = '[\\w-]';

export interface MarkedSecret {
  readonly marker: string;
  readonly alphabet: string;
  /** Characters after the marker that the log keeps, to identify the secret. */
  readonly shown?: number;
}

/** Secrets with a marker, followed by characters of an alphabet. */
export const markedSecrets = {
  apiKey: { marker: 'svc_live_', alphabet: base62, shown: 4 },
  refreshToken: { marker: 'svc_refresh_', alphabet: base62 },
  deviceCode: { marker: 'svc_device_', alphabet: base62 },
  /** In mailed links: verification, sign-in, password reset, invitation, subscription. */
  oneTimeToken: { marker: 'svc_once_', alphabet: base62 },
  webhookSecret: { marker: 'whsec_', alphabet: base64url },
  /** Keys of the provider of language models. */
  modelKey: { marker: 'sk-ant-', alphabet: base64url },
  /** Keys of the card processor, whose webhook secrets have the same marker as ours. */
  cardKey: { marker: 'sk_(?:live|test)_', alphabet: base62 },
} as const satisfies Record<string, MarkedSecret>;

/** Consonants: no code is a word, and no letter looks like a digit (RFC 8628, 6.1). */
export const userCodeAlphabet = 'BCDFGHJKLMNPQRSTVWXZ';
/** Letters and digits that are not easily confused. */
export const recoveryCodeAlphabet = '23456789abcdefghjkmnpqrstuvwxyz';

const apart = (pattern: string) => `(?<![\\w-])${pattern}(?![\\w-])`;

/** Secrets without a marker. */
export const unmarkedSecrets = {
  /** Access tokens and first-factor tokens: JWTs, whose header starts with `{"`. */
  accessToken: `eyJ${base64url}+\\.${base64url}+\\.${base64url}+`,
  unsubscribeToken: `[0-9a-f-]{36}\\.[a-z-]+\\.${base64url}{43}`,
  /** Base 32, alone or in the URI for an authenticator app. */
  totpSecret: apart('[A-Z2-7]{32}'),
  recoveryCode: apart(`[${recoveryCodeAlphabet}]{8}-[${recoveryCodeAlphabet}]{8}`),
  userCode: apart(`[${userCodeAlphabet}]{4}-[${userCodeAlphabet}]{4}`),
} as const satisfies Record<string, string>;

export type SecretName = keyof typeof markedSecrets | keyof typeof unmarkedSecrets;
