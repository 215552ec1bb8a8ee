import { setEmailPreference } from '../../commands/email-preferences.ts';
import type { CommandPorts } from '../../commands/engine/runner.ts';
import { isErased } from '../../commands/team/erasure.ts';
import { emailEventTypes } from '../../contracts/events/email-preferences.ts';
import { html, page } from '../../infra/http/index.ts';
import type { Peppers } from '../../infra/keys/index.ts';
import { readUnsubscribeToken } from '../../infra/keys/unsubscribe-tokens.ts';
import { contextOf } from '../engine/authentication.ts';
import type { Handling, HandlersOf } from '../engine/handling.ts';

interface EmailPorts extends CommandPorts {
  /** Peppers of the tokens in mails. */
  readonly peppers: Pick<Peppers, 'inUse'>;
}

/** Opt-out of mails of a kind by their unsubscribe link. Of an erased account nothing is recorded, and the answer is the same. */
export const emailHandlers = (
  ports: EmailPorts,
  { answeringAnyone }: Handling,
): HandlersOf<'email.unsubscribe'> => ({
  'email.unsubscribe': answeringAnyone(async ({ query, request }) => {
    const { accountId, kind } = readUnsubscribeToken(query.token, emailEventTypes, ports.peppers);
    if (await isErased(ports, accountId)) return done(kind);
    const preference = { eventType: kind, optedIn: false };
    const context = contextOf(request, { kind: 'user', account_id: accountId });
    const position = await setEmailPreference(ports, accountId, preference, context);
    return { ...done(kind), position };
  }),
});

const done = (kind: string) =>
  page(
    'Unsubscribed',
    html`<p>Your account will no longer get mails of the kind <code>${kind}</code>.</p>
      <p>To get them again, sign in and change the account’s email preferences.</p>`,
  );
