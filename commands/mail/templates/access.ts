import type { MailBody, TemplatesOf, TextFact } from './types.ts';

/** For a link that has an effect. */
const onceUntil = (until: string): string => `The link works once, until ${until}.`;

/** Mails about signing in and about teams. */
export const accessTemplates: TemplatesOf<
  | 'account-verification'
  | 'password-reset'
  | 'magic-link'
  | 'sign-in-merge'
  | 'sign-in-attempts'
  | 'second-factor-attempts'
  | 'second-factor-removed'
  | 'team-invitation'
  | 'team-member-removed'
> = {
  'account-verification': ({ link, until }) => ({
    subject: 'Confirm your email address',
    preheader: 'One click, and your account is ready.',
    blocks: [
      'Somebody, most likely you, signed up with this address. Confirm that it is yours, and you can sign in.',
      { button: 'Confirm this address', link },
      onceUntil(until),
      'If you did not sign up, ignore this mail: nobody can use the account without the link.',
    ],
  }),
  'password-reset': ({ link, until }) => ({
    subject: 'Reset your password',
    preheader: 'Choose a new password for your account.',
    blocks: [
      'Somebody, most likely you, asked to reset the password of your account.',
      { button: 'Choose a new password', link },
      `${onceUntil(until)} A new password signs your account out everywhere.`,
      'If you did not ask for this, ignore this mail: your password stays as it is.',
    ],
  }),
  'magic-link': ({ link, until }) => ({
    subject: 'Your sign-in link',
    preheader: 'Sign in without a password.',
    blocks: [
      'Somebody, most likely you, asked for a link to sign in to your account.',
      { button: 'Sign in', link },
      `${onceUntil(until)} Do not pass it on: whoever opens it is signed in as you.`,
      'If you did not ask for this, ignore this mail: nobody is signed in without the link.',
    ],
  }),
  'sign-in-merge': ({ link, until }) => ({
    subject: 'Your account has a second way to sign in',
    preheader: 'Confirm that it was you, or reset your password.',
    blocks: [
      'Somebody, most likely you, opened a second way to sign in to your account: both work now, the password and links by mail. If it was you, confirm it, so that we do not ask again.',
      { button: 'Confirm that it was me', link },
      onceUntil(until),
      'If it was not you, somebody can read your mail. Secure your mailbox first, then reset your password: that signs everybody out.',
    ],
  }),
  'sign-in-attempts': () => ({
    subject: 'Wrong passwords for your account',
    preheader: 'Ten attempts to sign in failed.',
    blocks: [
      'Within an hour ten attempts to sign in to your account had a wrong password. Your account is not locked, but each further attempt has to wait longer.',
      'If it was you, reset your password, or sign in by a link that we mail you.',
      'If it was not you, none of these attempts got in. Make sure that your password is long and used nowhere else, and turn on a second factor.',
    ],
  }),
  'second-factor-attempts': () => ({
    subject: 'Wrong codes for your account',
    preheader: 'Ten codes of the second factor were wrong.',
    blocks: [
      'Ten codes in a row were wrong that were given as the second factor of your account. Your account is not locked, but after each further wrong code the next one has to wait longer, up to an hour.',
      'If it was you, check that the clock of your device is right, or use a recovery code.',
      'If it was not you, none of these codes got in. But a code is asked only of somebody who has your password, reads your mail, or is signed in as you: secure your mailbox, then reset your password, which signs everybody out.',
    ],
  }),
  'second-factor-removed': () => ({
    subject: 'Your second factor was removed',
    preheader: 'Your password or a link is enough to sign in.',
    blocks: [
      'We removed the second factor of your account, as we do for an owner who has lost the device and the recovery codes. From now on your password, or a link that we mail you, is enough to sign in.',
      'If you asked for this, enroll a second factor again as soon as you can.',
      'If you did not ask for this, reset your password, which signs everybody out, and enroll a second factor again.',
    ],
  }),
  'team-invitation': invitation,
  'team-member-removed': removal,
};

const roles: Readonly<Record<string, readonly string[]>> = {
  member: ['You will be able to see their sessions, profiles, usage and audit log, and to change nothing.'],
  admin: ['You will be able to see and change everything on their account, but not who is in the team.'],
};

function invitation({
  link,
  until,
  owner_email,
  role,
}: Readonly<Record<TextFact<'team-invitation'>, string>>): MailBody {
  return {
    subject: `${owner_email} invites you to their team`,
    preheader: 'Accept, and you can work on their account with your own.',
    blocks: [
      'You are invited to a team: to work on the account of somebody else, with an account of your own.',
      {
        rows: [
          ['Invited by', owner_email],
          ['Your role', role],
        ],
      },
      ...(roles[role] ?? []),
      { button: 'Accept the invitation', link },
      `Sign in, or sign up, with the address that this mail was sent to. ${onceUntil(until)}`,
      'If you do not know who invited you, ignore this mail: nothing happens without the link.',
    ],
  };
}

function removal({
  membership_id,
  api_keys,
  webhooks,
  outcome,
}: Readonly<Record<TextFact<'team-member-removed'>, string>>): MailBody {
  const madeSomething = api_keys !== '' || webhooks !== '';
  return {
    subject: 'A member of your team was removed',
    preheader: 'They can no longer work on your account.',
    blocks: [
      'A member of your team was removed: their requests are refused from now on.',
      {
        rows: [
          ['Membership', membership_id],
          ['API keys they created', api_keys || 'none'],
          ['Webhook endpoints they created', webhooks || 'none'],
        ],
      },
      ...(madeSomething ? (afterRemoval[outcome] ?? []) : []),
    ],
  };
}

const afterRemoval: Readonly<Record<string, MailBody['blocks']>> = {
  ended: ['These keys are revoked and these endpoints deleted.'],
  kept: [
    'These keys and endpoints still work, and the removed member may know their secrets. To end one of them:',
    { requests: ['DELETE /v1/api-keys/<id>', 'DELETE /v1/webhooks/<id>'] },
  ],
};
