import type { Scope } from '../../contracts/events/api-key.ts';
import { uuidOf, type AccountId } from '../../contracts/ids.ts';
import { apiKey } from '../../domain/api-key.ts';
import { stepContext } from '../engine/derived-context.ts';
import type { CommandContext } from '../engine/context.ts';
import { assertMayGrant, type Grantor } from './grants.ts';
import { reserveKey } from './quota.ts';
import type { ApiKeyPorts, IssuedKey } from './ports.ts';

export interface NewKey {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt: string | null;
}

/** The quota first, then the key; killed in between, the reservation is reclaimed at the limit. */
export async function createApiKey(
  ports: ApiKeyPorts,
  accountId: AccountId,
  { name, scopes, expiresAt }: NewKey,
  by: Grantor,
  context: CommandContext,
): Promise<IssuedKey> {
  assertMayGrant(by, scopes);
  const { id: apiKeyId, text, prefix, last4 } = ports.issueKey();
  await reserveKey(ports, accountId, apiKeyId, by === 'staff' ? 'staff' : 'customer', context);
  const hash = ports.hashKey(text);
  const record = { apiKeyId, accountId, name, scopes: [...scopes], prefix, last4, hash, expiresAt };
  const at = ports.clock.now().toISOString();
  const { position } = await ports.runner.run(
    apiKey,
    uuidOf(apiKeyId),
    { type: 'CreateApiKey', record, rotatedFrom: null, at },
    stepContext(context, 'create-key'),
    { create: true },
  );
  return { record, text, createdAt: at, position };
}
