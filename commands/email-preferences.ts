import type { EmailEventType } from '../contracts/events/email-preferences.ts';
import { uuidOf, type AccountId } from '../contracts/ids.ts';
import { isOptedInTo } from '../contracts/resources/email-preferences.ts';
import { emailPreferences } from '../domain/email-preferences.ts';
import { now, ownedStep, type CommandContext } from './engine/context.ts';
import type { CommandPorts, Runner } from './engine/runner.ts';

/** Sets the preference of one type. The position is undefined if nothing changed. */
export async function setEmailPreference(
  ports: CommandPorts,
  accountId: AccountId,
  preference: { readonly eventType: EmailEventType; readonly optedIn: boolean },
  context: CommandContext,
) {
  const command = { type: 'SetEmailPreference', accountId, ...preference, at: now(ports) } as const;
  const step = ownedStep(context, accountId, `set-email-preference ${preference.eventType}`);
  const { position } = await ports.runner.run(emailPreferences, uuidOf(accountId), command, step);
  return position;
}

/** Whether the account wants mails of the type, read from its stream, so that an opt-out takes effect once acknowledged. */
export const isOptedIn = async (
  runner: Pick<Runner, 'load'>,
  accountId: AccountId,
  eventType: EmailEventType,
): Promise<boolean> => isOptedInTo((await runner.load(emailPreferences, uuidOf(accountId))).state, eventType);
