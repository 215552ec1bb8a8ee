import { v5 as uuidv5 } from 'uuid';
import { dayMs } from '../../contracts/durations.ts';
import { subscriberEmail } from '../../contracts/events/status-subscriber.ts';
import { toId, type StatusSubscriptionId } from '../../contracts/ids.ts';
import { refuse } from '../../contracts/problems.ts';
import { statusComponentIds, type StatusComponent } from '../../contracts/status.ts';
import { isInForce, knownIds, statusSubscriber } from '../../domain/status-subscriber.ts';
import { after } from '../../domain/kit/time.ts';
import type { OneTimeTokens } from '../../infra/keys/one-time-tokens.ts';
import { isMailAddress } from '../../infra/mail/address.ts';
import type { MailLimits } from '../../infra/rate-limits/mails.ts';
import type { Vault } from '../../infra/vault/index.ts';
import { addressOf, mailboxOf } from '../account/index.ts';
import { now, type CommandContext } from '../engine/context.ts';
import type { CommandPorts } from '../engine/runner.ts';
import type { SubscriberPage } from '../mail/links.ts';
import { subscriberTokens } from './tokens.ts';

export interface SubscriberPorts extends CommandPorts {
  readonly vault: Pick<Vault, 'seal'>;
  readonly tokens: OneTimeTokens;
  /** The uuid of an address, derived with the pepper. */
  readonly emailUuid: (email: string) => string;
  readonly mails: Pick<MailLimits, 'toRecipient'>;
}

/** Lifetime of the confirmation link, in milliseconds. */
const confirmWithinMs = dayMs;

/** Subscribers of incidents. */
export const createSubscriberCommands = (ports: SubscriberPorts) => ({
  request: (asked: Asked, context: CommandContext) => request(ports, asked, context),
  /** Returns the subscribed components. */
  async confirm(token: string, context: CommandContext): Promise<readonly StatusComponent[]> {
    const { state } = await runProven(ports, { page: 'confirm', token }, context);
    return state.confirmed?.components ?? statusComponentIds;
  },
  async end(token: string, context: CommandContext): Promise<void> {
    await runProven(ports, { page: 'unsubscribe', token }, context);
  },
  /** Throws what `confirm` or `end` would throw; changes nothing. */
  async check(shown: Shown): Promise<void> {
    const { state, command } = await prove(ports, shown);
    statusSubscriber.decide(command, state);
  },
});

interface Asked {
  readonly email: string;
  readonly components?: readonly StatusComponent[];
}

/**
 * Mails about incidents require the confirmation link to be opened first. Refuses a malformed address. Does nothing for an
 * address that cannot receive mail, or is at its limit of mails.
 */
async function request(ports: SubscriberPorts, asked: Asked, context: CommandContext): Promise<void> {
  const { runner, vault, emailUuid, mails } = ports;
  const email = addressOf(asked.email);
  if (!isMailAddress(email)) return;
  const subscriber = emailUuid(email);
  const components = asked.components === undefined ? null : [...new Set(asked.components)];
  const { state } = await runner.load(statusSubscriber, subscriber);
  // Without an effect no data key is created.
  if (isInForce(state, components)) return;
  if (await mails.toRecipient(emailUuid(mailboxOf(email)), 'mail:status')) return;
  const subscriptionId = toId('statusSubscription', uuidv5('subscription', context.commandId));
  const sealedEmail = await vault.seal(subscriptionId, subscriberEmail, email);
  const at = now(ports);
  const command = {
    type: 'RequestSubscription',
    ...{ subscriptionId, sealedEmail, components, at },
    expiresAt: after(at, confirmWithinMs),
  } as const;
  await runner.run(statusSubscriber, subscriber, command, withoutPerson(context));
}

interface Shown {
  readonly page: SubscriberPage;
  readonly token: string;
}

const commandOf = { confirm: 'ConfirmSubscription', unsubscribe: 'EndSubscription' } as const;

/** The command of a page, for the subscription of the token. Throws `invalid-auth-token` if there is none. */
async function prove(ports: SubscriberPorts, { page, token }: Shown) {
  const tokens = subscriberTokens(ports.tokens);
  const subscriber = tokens.subscriberOf(token);
  if (subscriber === undefined) throw notOurs();
  const { state } = await ports.runner.load(statusSubscriber, subscriber);
  const subscriptionId = tokens.find(page, token, subscriber, knownIds(state));
  if (subscriptionId === undefined) throw notOurs();
  return { subscriber, state, command: { type: commandOf[page], subscriptionId, at: now(ports) } };
}

async function runProven(ports: SubscriberPorts, shown: Shown, context: CommandContext) {
  const { subscriber, command } = await prove(ports, shown);
  return ports.runner.run(statusSubscriber, subscriber, command, withoutPerson(context));
}

export type SubscriberCommands = ReturnType<typeof createSubscriberCommands>;

const notOurs = () => refuse('invalid-auth-token', 'This link is not valid, or has expired.');

/** Event metadata is not sealed, so a subscriber's IP address is left out. */
const withoutPerson = (context: CommandContext): CommandContext => ({
  ...context,
  ip: null,
  userAgent: null,
});

/** Destroys the keys of ended subscriptions. */
export const forgetSubscriptions = async (
  vault: Pick<Vault, 'forget'>,
  ids: readonly (StatusSubscriptionId | null)[],
): Promise<void> => {
  for (const id of ids) if (id !== null) await vault.forget(id);
};
