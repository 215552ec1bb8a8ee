/**
 * The forms of the secrets that pass through the service. Code that creates or parses one takes its marker or its alphabet from here,
 * and the log masks every text of these forms, so that none can be made that the log would show.
 */

const base62 = '[0-9A-Za-z]';
const base64url = '[\\w-]';

export interface MarkedSecret {
  readonly marker: string;
  readonly alphabet: string;
  /** Characters after the marker that the log shows, by which an operator finds what the secret is of. */
  readonly shown?: number;
}

/** Secrets that say what they are: a marker, and characters of an alphabet. */
export const markedSecrets = {
  apiKey: { marker: 'svc_live_', alphabet: base62, shown: 4 },
  refreshToken: { marker: 'svc_refresh_', alphabet: base62 },
  deviceCode: { marker: 'svc_device_', alphabet: base62 },
  /** In the links of mails: verification, sign-in, reset of a password, invitation, subscription. */
  oneTimeToken: { marker: 'svc_once_', alphabet: base62 },
  webhookSecret: { marker: 'whsec_', alphabet: base64url },
  /** Of the provider of language models. */
  modelKey: { marker: 'sk-ant-', alphabet: base64url },
  /** Of the processor of cards, whose webhook secrets have the marker of ours. */
  cardKey: { marker: 'sk_(?:live|test)_', alphabet: base62 },
} as const satisfies Record<string, MarkedSecret>;

/** Consonants: no code is a word, and none has a letter that is taken for a digit (RFC 8628, 6.1). */
export const userCodeAlphabet = 'BCDFGHJKLMNPQRSTVWXZ';
/** Letters and digits that are not easily confused. */
export const recoveryCodeAlphabet = '23456789abcdefghjkmnpqrstuvwxyz';

const apart = (pattern: string) => `(?<![\\w-])${pattern}(?![\\w-])`;

/** Secrets that have a form and no marker. */
export const unmarkedSecrets = {
  /** Access tokens and those of a first factor: JWTs, whose header starts with `{"`. */
  accessToken: `eyJ${base64url}+\\.${base64url}+\\.${base64url}+`,
  unsubscribeToken: `[0-9a-f-]{36}\\.[a-z-]+\\.${base64url}{43}`,
  /** In base 32, alone or in the address that an authenticator app reads. */
  totpSecret: apart('[A-Z2-7]{32}'),
  recoveryCode: apart(`[${recoveryCodeAlphabet}]{8}-[${recoveryCodeAlphabet}]{8}`),
  userCode: apart(`[${userCodeAlphabet}]{4}-[${userCodeAlphabet}]{4}`),
} as const satisfies Record<string, string>;

export type SecretName = keyof typeof markedSecrets | keyof typeof unmarkedSecrets;
