import type { Area } from '../../parts/places.ts';
import { words } from './strings.ts';

/** The pages for signing up and in, and those that links in mails open. */
export const signIn: Area = {
  pages: [
    {
      path: '/sign-in',
      name: words.signIn,
      isOpen: true,
      load: async () => (await import('./sign-in.tsx')).SignIn,
    },
    {
      path: '/sign-up',
      name: words.signUp,
      isOpen: true,
      load: async () => (await import('./sign-up.tsx')).SignUp,
    },
    {
      path: '/verify',
      name: words.verifyTitle,
      isOpen: true,
      load: async () => (await import('./verify.tsx')).Verify,
    },
    {
      path: '/magic',
      name: words.magicTitle,
      isOpen: true,
      load: async () => (await import('./magic-link.tsx')).MagicLink,
    },
    {
      path: '/magic-link',
      name: words.magicTitle,
      isOpen: true,
      load: async () => (await import('./magic-link.tsx')).MagicLink,
    },
    {
      path: '/reset',
      name: words.resetTitle,
      isOpen: true,
      load: async () => (await import('./reset.tsx')).Reset,
    },
    {
      path: '/merge',
      name: words.mergeTitle,
      isOpen: true,
      load: async () => (await import('./merge.tsx')).Merge,
    },
    { path: '/mfa', name: words.mfaTitle, isOpen: true, load: async () => (await import('./mfa.tsx')).Mfa },
    {
      path: '/invite',
      name: words.inviteTitle,
      isOpen: true,
      load: async () => (await import('./invite.tsx')).Invite,
    },
    { path: '/device', name: words.deviceTitle, load: async () => (await import('./device.tsx')).Device },
  ],
};
