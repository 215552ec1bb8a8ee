import { accountEvents } from '../../contracts/events/account.ts';
import { loginEvents } from '../../contracts/events/login.ts';
import { secondFactorEvents } from '../../contracts/events/second-factor.ts';
import { loginMails } from '../../domain/login.ts';
import { secondFactorMails } from '../../domain/second-factor.ts';
import { beginLogin, queueLoginMail, type LoginMailPorts, type LoginPorts } from '../login/index.ts';
import { queueMail } from '../mail/index.ts';
import { processManager, reactingTo, type ProcessManager } from './engine/process-manager.ts';

export type SignInManagerPorts = LoginMailPorts & Pick<LoginPorts, 'runner' | 'lifetimesMs'>;

/** Completes sign-ups after a crash, and queues the mails of sign-ins. */
export const signInManagers = (ports: SignInManagerPorts): readonly ProcessManager[] => [
  reactingTo('sign-ups', accountEvents, {
    AccountCreated: async ({ accountId, sealedPasswordHash, at }, context) => {
      if (sealedPasswordHash !== undefined)
        await beginLogin(ports, { accountId, sealedPasswordHash, at }, context);
    },
  }),
  processManager({
    name: 'sign-in-mails',
    category: loginEvents,
    react: loginMails,
    perform: (mail, context) => queueLoginMail(ports, mail, context),
  }),
  processManager({
    name: 'second-factor-mails',
    category: secondFactorEvents,
    types: ['SecondFactorCodeRefused', 'SecondFactorDisabled'],
    react: secondFactorMails,
    perform: (mail, context) => queueMail(ports, { ...mail, facts: {} }, context),
  }),
];
