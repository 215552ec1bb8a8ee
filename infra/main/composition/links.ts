import {
  consoleLinks,
  subscriberPaths,
  unsubscribePath,
  type ConsoleLink,
  type SubscriberLink,
  type UnsubscribeLink,
} from '../../../commands/mail/index.ts';
import { subscriberTokens } from '../../../commands/status/tokens.ts';
import type { Peppers } from '../../keys/index.ts';
import { createOneTimeTokens } from '../../keys/one-time-tokens.ts';
import { unsubscribeToken } from '../../keys/unsubscribe-tokens.ts';
import type { Config } from '../../config/index.ts';
import { publicUrl } from './public-url.ts';

interface LinkPorts {
  readonly config: Config;
  readonly peppers: Peppers;
}

/** URL of the console, without a final slash. */
export const consoleUrl = (config: Config): string => config.CONSOLE_URL ?? `${publicUrl(config)}/console`;

/** Makes links into the console, for mails. */
export const openConsoleLinks = (config: Config): ConsoleLink => consoleLinks(consoleUrl(config));

/** Makes the links that opt an account out of a kind of mail. */
export function openUnsubscribeLinks({ config, peppers }: LinkPorts): UnsubscribeLink {
  return (accountId, kind) =>
    `${publicUrl(config)}${unsubscribePath}?token=${unsubscribeToken({ accountId, kind }, peppers)}`;
}

/** Makes the links in mails to subscribers of the public status. */
export function openSubscriberLinks({ config, peppers }: LinkPorts): SubscriberLink {
  const tokens = subscriberTokens(createOneTimeTokens(peppers));
  return (page, { subscriber, subscriptionId }) =>
    `${publicUrl(config)}${subscriberPaths[page]}?token=${tokens.textOf(page, subscriber, subscriptionId)}`;
}
