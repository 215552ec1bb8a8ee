import { duration, standard, text } from '../kinds.ts';

/** How people sign up and in. */
export const signIn = {
  VERIFICATION_TTL: standard(duration, '30m', 'Lifetime of the link that verifies an address.'),
  MAGIC_LINK_TTL: standard(duration, '15m', 'Lifetime of a sign-in link.'),
  PASSWORD_RESET_TTL: standard(duration, '60m', 'Lifetime of a password-reset link.'),
  MERGE_TTL: standard(duration, '24h', 'Lifetime of the link that confirms a second way to sign in.'),
  TERMS_REVISION: standard(
    text,
    '',
    'The present revision of the terms, which a sign-up must accept. Empty: any revision is accepted.',
  ),
} as const;
