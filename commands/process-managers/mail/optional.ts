import { accountEvents } from '../../../contracts/events/account.ts';
import { loginEvents } from '../../../contracts/events/login.ts';
import { sessionEvents, type SessionEvent } from '../../../contracts/events/session.ts';
import { uuidOf, type SessionId } from '../../../contracts/ids.ts';
import { sessionErrors } from '../../../contracts/operations.ts';
import { session } from '../../../domain/session/session.ts';
import {
  oncePerAccount,
  queueOptionalMail,
  type MailContent,
  type OptionalMailPorts,
} from '../../mail/index.ts';
import { processManager, reactingTo, type ProcessManager } from '../engine/process-manager.ts';

type FirstSessionMail = Extract<
  MailContent,
  { readonly template: 'session-success-first' | 'session-failed-first' }
>;

/** The mail about a session's end; only an account's first one of each kind is queued. */
export function firstSessionMails({
  type,
  data,
}: SessionEvent): readonly (FirstSessionMail & { readonly sessionId: SessionId })[] {
  const { sessionId } = data;
  if (type === 'SessionDestroyed' && data.cause !== 'suspension' && data.cause !== 'agent_session')
    return [{ template: 'session-success-first', facts: { session_id: sessionId }, sessionId }];
  if (type !== 'SessionErrored') return [];
  const facts = { session_id: sessionId, reason: sessionErrors[data.errorName] };
  return [{ template: 'session-failed-first', facts, sessionId }];
}

/** Queues the mails that an account can opt out of. */
export const optionalMailManagers = (ports: OptionalMailPorts): readonly ProcessManager[] => [
  reactingTo('welcome-mails', loginEvents, {
    EmailVerified: ({ accountId }, context) => {
      const content = { accountId, template: 'signup-welcome', facts: {} } as const;
      return queueOptionalMail(ports, content, oncePerAccount(context, accountId));
    },
  }),
  reactingTo('tier-mails', accountEvents, {
    TierChanged: ({ accountId, from, to }, context) =>
      queueOptionalMail(ports, { accountId, template: 'tier-changed', facts: { from, to } }, context),
  }),
  processManager({
    name: 'first-session-mails',
    category: sessionEvents,
    types: ['SessionErrored', 'SessionDestroyed'],
    react: firstSessionMails,
    perform: async ({ sessionId, ...content }, context) => {
      const { state } = await ports.runner.load(session, uuidOf(sessionId));
      if (state.status === 'none') return;
      // It was ended while it was being created.
      if (content.template === 'session-success-first' && state.readyAt === null) return;
      const { accountId } = state;
      await queueOptionalMail(ports, { ...content, accountId }, oncePerAccount(context, accountId));
    },
  }),
];
