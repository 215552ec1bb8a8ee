import { accountEvents, type AccountEvent } from '../../contracts/events/account.ts';
import { loginEvents } from '../../contracts/events/login.ts';
import { loginMails } from '../../domain/login.ts';
import { beginLogin, queueLoginMail, type LoginMailPorts, type LoginPorts } from '../login/index.ts';
import { processManager, type ProcessManager } from './engine/process-manager.ts';

export type SignInManagerPorts = LoginMailPorts & Pick<LoginPorts, 'runner' | 'lifetimesMs'>;

/** Completes sign-ups that a crash cut short, and has the mails sent that signing in leads to. */
export const signInManagers = (ports: SignInManagerPorts): readonly ProcessManager[] => [
  processManager({
    name: 'sign-ups',
    category: accountEvents,
    react: signedUpFor,
    perform: (signedUp, context) => beginLogin(ports, signedUp, context),
  }),
  processManager({
    name: 'sign-in-mails',
    category: loginEvents,
    react: loginMails,
    perform: (mail, context) => queueLoginMail(ports, mail, context),
  }),
];

function signedUpFor({ type, data }: AccountEvent) {
  if (type !== 'AccountCreated' || data.sealedPasswordHash === undefined) return [];
  const { accountId, sealedPasswordHash, at } = data;
  return [{ accountId, sealedPasswordHash, at }];
}
