import type { TemplatesOf } from './types.ts';

/** The mail about a deprecation that an account uses. */
export const deprecationTemplates: TemplatesOf<'deprecation-notice'> = {
  'deprecation-notice': ({ what, announced_since, sunset_since, replacement }) => ({
    subject: `${what} is removed on ${sunset_since}`,
    preheader: `Your account still uses it. Use ${replacement} instead.`,
    blocks: [
      'Your account uses a part of the API that is deprecated. It works unchanged until the day on which it is removed.',
      {
        rows: [
          ['Deprecated', what],
          ['Announced', announced_since],
          ['Removed on', sunset_since],
          ['Replacement', replacement],
        ],
      },
      'The deprecated routes and fields that your account still uses, and when it last did:',
      { requests: ['GET /v1/account/deprecations'] },
      'This mail is sent once.',
    ],
  }),
};
