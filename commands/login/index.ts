import { bindPorts } from '../engine/bind-ports.ts';
import { confirmMerge, requestLink, resetPassword, verifyEmail } from './links.ts';
import type { LoginPorts } from './ports.ts';
import { currentEpoch, hasSecondFactor, signIn, useMagicLink } from './sign-in.ts';
import { signUp } from './sign-up.ts';

export type { LoginPorts } from './ports.ts';
export type { SignIn } from './sign-in.ts';
export { handOutLink } from './hand-out-link.ts';
export { queueLoginMail, type LoginMailPorts } from './mails.ts';
export { beginLogin } from './sign-up.ts';

/** Signing up, signing in, and the links of mails. */
export const createLoginCommands = (ports: LoginPorts) =>
  bindPorts(ports, {
    signUp,
    signIn,
    useMagicLink,
    requestLink,
    verifyEmail,
    resetPassword,
    confirmMerge,
    currentEpoch,
    hasSecondFactor,
  });

export type LoginCommands = ReturnType<typeof createLoginCommands>;
