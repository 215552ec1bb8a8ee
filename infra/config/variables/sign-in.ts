import { duration, standard, text } from '../kinds.ts';

/** How people sign up and in. */
export const signIn = {
  VERIFICATION_TTL: standard(duration, '30m', 'How long the link works that verifies an address.'),
  MAGIC_LINK_TTL: standard(duration, '15m', 'How long a link works that signs in.'),
  PASSWORD_RESET_TTL: standard(duration, '60m', 'How long the link works that sets another password.'),
  MERGE_TTL: standard(duration, '24h', 'How long the link works that confirms a second way to sign in.'),
  TERMS_REVISION: standard(
    text,
    '',
    'The revision of the terms that is in force: signing up accepts it. Empty: any that a sign-up names is taken.',
  ),
} as const;
