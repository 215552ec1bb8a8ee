import { handOutLink } from '../../../commands/login/index.ts';
import type { AccountId } from '../../../contracts/ids.ts';
import { createOneTimeTokens } from '../../keys/one-time-tokens.ts';
import { systemClock as clock } from '../../platform/clock.ts';
import { openConsoleLinks } from '../composition/links.ts';
import { linkLifetimes } from '../composition/settings.ts';
import type { ServiceCommand } from './command.ts';
import type { Operator } from './operator.ts';
import type { Answer } from './output.ts';

/** `service console-link` */
export function consoleLinkCommand(program: ServiceCommand): void {
  program
    .command('console-link')
    .description(
      'create a link that signs an account in to the console, once; its owner gets a mail with the same link',
    )
    .ofAccount()
    .operates('object', consoleLink);
}

/** A new link that signs the account in to the console. */
export async function consoleLinkFor(operator: Operator, account: AccountId) {
  const { config, runner, vault, peppers, context } = operator;
  const oneTimeTokens = createOneTimeTokens(peppers);
  const ports = { runner, clock, vault, oneTimeTokens, lifetimesMs: linkLifetimes(config) };
  const { token, expiresAt } = await handOutLink(ports, account, context);
  return { link: openConsoleLinks(config)('magic', token), expires_at: expiresAt };
}

async function consoleLink(
  operator: Operator,
  { account }: { readonly account: AccountId },
): Promise<Answer> {
  const value = await consoleLinkFor(operator, account);
  return { value, lines: [value.link, `Works once, until ${value.expires_at}.`] };
}
