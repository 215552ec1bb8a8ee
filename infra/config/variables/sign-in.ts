import { standard, text } from '../kinds.ts';

/** How people sign up and in. */
export const signIn = {
  TERMS_REVISION: standard(
    text,
    '',
    'The revision of the terms that is in force: signing up accepts it. Empty: any that a sign-up names is taken.',
  ),
} as const;
