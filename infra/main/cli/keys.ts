import { InvalidArgumentError } from 'commander';
import { scopes, type Scope } from '../../../contracts/events/api-key.ts';
import type { AccountId, ApiKeyId } from '../../../contracts/ids.ts';
import type { ServiceCommand } from './command.ts';
import type { Operator } from './operator.ts';
import type { Answer } from './output.ts';
import { idOf, shownText } from './parse.ts';

/** `service key …` */
export function keyCommands(program: ServiceCommand): void {
  const key = program.command('key').description('create and revoke API keys on an account’s behalf');
  key
    .command('create')
    .description('create a key, which is shown only once')
    .ofAccount()
    .option('--name <name>', 'what the key is for', shownText(120), 'made by the operator')
    .option('--scopes <list>', `scopes separated by commas, of ${scopes.join(', ')}`, scopeList, [
      'read',
      'write',
    ])
    .operates('object', create);
  key
    .command('revoke')
    .description('revoke a key, from the next request on')
    .ofAccount()
    .requiredOption('--key <id>', 'key_<uuid>', idOf('apiKey'))
    .operates('object', revoke);
}

type NewKey = { account: AccountId; name: string; scopes: readonly Scope[] };

async function create(operator: Operator, { account, name, scopes: chosen }: NewKey): Promise<Answer> {
  const key = { name, scopes: chosen, expiresAt: null };
  const issued = await operator.apiKeys.create(account, key, 'staff', operator.context);
  await operator.awaitInReads(account, issued.position);
  const value = { account_id: account, api_key_id: issued.record.apiKeyId, api_key: issued.text };
  return { value, lines: [`${value.api_key_id}  ${value.api_key} (shown only this once)`] };
}

async function revoke(
  operator: Operator,
  { account, key }: { account: AccountId; key: ApiKeyId },
): Promise<Answer> {
  const owned = await operator.apiKeys.find(account, key);
  await operator.awaitInReads(account, await operator.apiKeys.revoke(owned, 'staff', operator.context));
  return { value: { api_key_id: key, status: 'revoked' }, lines: [`${key} is revoked`] };
}

function scopeList(text: string): Scope[] {
  return text.split(',').map((name) => {
    const scope = scopes.find((each) => each === name.trim());
    if (scope === undefined)
      throw new InvalidArgumentError(`Expected scopes of ${scopes.join(', ')}, separated by commas.`);
    return scope;
  });
}
