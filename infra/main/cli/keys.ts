import { InvalidArgumentError, type Command } from 'commander';
import { scopes, type Scope } from '../../../contracts/events/api-key.ts';
import type { AccountId, ApiKeyId } from '../../../contracts/ids.ts';
import { asOperator } from './operator.ts';
import { show, type Json } from './output.ts';
import { accountId, apiKeyId } from './parse.ts';

/** `service key …` */
export function keyCommands(program: Command): void {
  const key = program.command('key').description('make and revoke API keys on an account’s behalf');
  key
    .command('create')
    .description('make a key, which is shown only this once')
    .requiredOption('--account <id>', 'acc_<uuid>', accountId)
    .option('--name <name>', 'what the key is for', 'made by the operator')
    .option('--scopes <list>', `separated by commas, of ${scopes.join(', ')}`, scopeList, ['read', 'write'])
    .option('--json', 'print one JSON object')
    .action(create);
  key
    .command('revoke')
    .description('end a key; holds for the next request')
    .requiredOption('--account <id>', 'acc_<uuid>', accountId)
    .requiredOption('--key <id>', 'key_<uuid>', apiKeyId)
    .option('--json', 'print one JSON object')
    .action(revoke);
}

function create(
  options: Json & { account: AccountId; name: string; scopes: readonly Scope[] },
): Promise<void> {
  return asOperator(async (operator) => {
    const wanted = { name: options.name, scopes: options.scopes, expiresAt: null };
    const issued = await operator.apiKeys.create(options.account, wanted, 'staff', operator.context);
    await operator.noted(options.account, issued.position);
    const result = { account_id: options.account, api_key_id: issued.record.apiKeyId, api_key: issued.text };
    show(options.json, result, [`${result.api_key_id}  ${result.api_key} (shown only this once)`]);
  });
}

function revoke({ account, key, json }: Json & { account: AccountId; key: ApiKeyId }): Promise<void> {
  return asOperator(async (operator) => {
    const owned = await operator.apiKeys.find(account, key);
    await operator.noted(account, await operator.apiKeys.revoke(owned, 'staff', operator.context));
    show(json, { api_key_id: key, status: 'revoked' }, [`${key} is revoked`]);
  });
}

function scopeList(text: string): Scope[] {
  return text.split(',').map((name) => {
    const scope = scopes.find((each) => each === name.trim());
    if (scope === undefined) throw new InvalidArgumentError(`It takes scopes of ${scopes.join(', ')}.`);
    return scope;
  });
}
