import { uuidOf, type AccountId } from '../../contracts/ids.ts';
import { apiKey, successorOf, type ApiKey } from '../../domain/api-key.ts';
import type { Position } from '../../infra/event-store/client/types.ts';
import { ownedContext, stepContext } from '../engine/derived-context.ts';
import type { CommandContext } from '../engine/context.ts';
import { findOwned, type Existing } from '../engine/find-owned.ts';
import { createApiKey, type NewKey } from './create.ts';
import { assertHolds, type Grantor } from './grants.ts';
import { releaseKey } from './quota.ts';
import type { ApiKeyPorts } from './ports.ts';
import { ensureSuccessor, rotateApiKey, type Rotation } from './rotate.ts';

/** A key that is there and belongs to the account it was looked up for. Only `find` makes one. */
export type OwnedKey = Existing<ApiKey>;

/** Everything that happens to API keys. Positions are undefined when nothing was left to do. */
export const createApiKeyCommands = (ports: ApiKeyPorts) => ({
  /** `not-found` for what is missing, another account's or no key id. */
  find: (accountId: AccountId, id: string): Promise<OwnedKey> =>
    findOwned(ports.runner, apiKey, 'apiKey', accountId, id),
  create: (accountId: AccountId, key: NewKey, by: Grantor, context: CommandContext) =>
    createApiKey(ports, accountId, key, by, ownedContext(context, accountId)),
  rotate: async ({ record }: OwnedKey, by: Grantor, context: CommandContext) => {
    assertHolds(by, record.scopes);
    return rotateApiKey(ports, record.apiKeyId, ownedContext(context, record.accountId));
  },
  /** Finishes a rotation that a crash cut short, from its event. */
  ensureSuccessor: (rotation: Rotation, context: CommandContext) =>
    ensureSuccessor(ports, rotation, ownedContext(context, rotation.successor.accountId)),
  revoke: ({ record }: OwnedKey, by: 'owner' | 'staff', context: CommandContext) =>
    revoke(ports, record, by, ownedContext(context, record.accountId)),
});

export type ApiKeyCommands = ReturnType<typeof createApiKeyCommands>;
export type { ApiKeyPorts, IssuedKey, IssuedKeyText } from './ports.ts';
export type { Grantor } from './grants.ts';
export type { NewKey } from './create.ts';
export type { RotatedKey, Rotation } from './rotate.ts';

/**
 * Idempotent. Killed before it is released, the reservation is reclaimed at the limit. That of a key that was rotated is
 * its successor's, which may not exist yet: given to any other key, the account would end up above its limit.
 */
async function revoke(
  ports: ApiKeyPorts,
  { apiKeyId, accountId }: OwnedKey['record'],
  by: 'owner' | 'staff',
  context: CommandContext,
): Promise<Position | undefined> {
  const { runner, clock } = ports;
  const at = clock.now().toISOString();
  const { state, position } = await runner.run(
    apiKey,
    uuidOf(apiKeyId),
    { type: 'RevokeApiKey', by, at },
    stepContext(context, 'revoke-key'),
  );
  const successor = successorOf(state);
  const released =
    successor === undefined
      ? (await releaseKey(ports, accountId, apiKeyId, context)).position
      : await ensureSuccessor(ports, { apiKeyId, successor, at }, context);
  return released ?? position;
}
