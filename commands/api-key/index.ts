import type { Scope } from '../../contracts/events/api-key.ts';
import { uuidOf, type AccountId, type ApiKeyId } from '../../contracts/ids.ts';
import { refuse } from '../../contracts/problems.ts';
import { apiKey, scopesBeyond, successorOf, type ApiKey, type KeyRecord } from '../../domain/api-key.ts';
import { after } from '../../domain/kit/time.ts';
import type { Position } from '../../infra/event-store/client/types.ts';
import { bindPorts } from '../engine/bind-ports.ts';
import { now, ownedContext, ownedStep, type Caller, type CommandContext } from '../engine/context.ts';
import { findOwned, type Existing } from '../engine/find-owned.ts';
import { release, reserve } from '../engine/reservations.ts';
import type { CommandPorts } from '../engine/runner.ts';
import { keyQuota } from './reservations.ts';
import { ensureSuccessor } from './successor.ts';

/** A new key's text, and its stored fields. */
export interface IssuedKeyText {
  readonly id: ApiKeyId;
  readonly text: string;
  readonly prefix: string;
  readonly last4: string;
}

export interface ApiKeyPorts extends CommandPorts {
  readonly issueKey: () => IssuedKeyText;
  readonly hashKey: (text: string) => string;
  /** Grace period of a rotated key, in milliseconds. */
  readonly graceMs: number;
}

/** `text` is shown once and not stored. */
export interface IssuedKey {
  readonly record: KeyRecord;
  readonly text: string;
  readonly createdAt: string;
  readonly position: Position | undefined;
}

interface RotatedKey extends IssuedKey {
  readonly previous: { readonly id: ApiKeyId; readonly graceEndsAt: string };
}

type NewKey = Pick<KeyRecord, 'name' | 'expiresAt'> & { readonly scopes: readonly Scope[] };

/** A key that exists and belongs to the account. Only `find` makes one. */
type OwnedKey = Existing<ApiKey>;

/** The maker of a key: staff, or a customer by a credential with these scopes. */
type Grantor = 'staff' | Pick<Caller, 'scopes' | 'kind' | 'actorId'>;

/** Commands on API keys. Positions are undefined if nothing changed. */
export const createApiKeyCommands = (ports: ApiKeyPorts) =>
  bindPorts(ports, { find, create, rotate, ensureSuccessor, revoke });

export type ApiKeyCommands = ReturnType<typeof createApiKeyCommands>;

/** Throws `not-found` for a missing or foreign key and for an invalid id. */
const find = ({ runner }: ApiKeyPorts, accountId: AccountId, id: string): Promise<OwnedKey> =>
  findOwned(runner, apiKey, 'apiKey', accountId, id);

/** Reserves the quota, then creates the key; after a crash in between, the reservation is reclaimed at the limit. */
async function create(
  ports: ApiKeyPorts,
  accountId: AccountId,
  { name, scopes, expiresAt }: NewKey,
  by: Grantor,
  context: CommandContext,
): Promise<IssuedKey> {
  // A key cannot grant `account_owner`: only the owner's own session and staff can.
  if (by !== 'staff' && by.kind !== 'web_session' && scopes.includes('account_owner'))
    throw refuse('forbidden', 'An API key cannot grant account_owner to another key.');
  assertMayShow(by, accountId, scopes);
  const { id: apiKeyId, text, prefix, last4 } = ports.issueKey();
  const quota = keyQuota(ports, by === 'staff' ? 'staff' : 'customer');
  await reserve(quota, { accountId, id: apiKeyId, name: null }, ownedContext(context, accountId));
  const hash = ports.hashKey(text);
  const record = { apiKeyId, accountId, name, scopes: [...scopes], prefix, last4, hash, expiresAt };
  const at = now(ports);
  const command = { type: 'CreateApiKey', record, rotatedFrom: null, at } as const;
  const step = ownedStep(context, accountId, 'create-key');
  const { position } = await ports.runner.run(apiKey, uuidOf(apiKeyId), command, step, { create: true });
  return { record, text, createdAt: at, position };
}

/** Only a caller with the key's scopes may see it in plain text, and only the owner one with `account_owner`. */
function assertMayShow(by: Grantor, accountId: AccountId, scopes: readonly Scope[]): void {
  if (by === 'staff') return;
  if (by.actorId !== accountId && scopes.includes('account_owner'))
    throw refuse('forbidden', 'Only the owner can create and rotate keys with account_owner.');
  const wider = scopesBeyond(scopes, by.scopes);
  if (wider.length > 0) throw refuse('forbidden', `The calling key does not hold ${wider.join(', ')}.`);
}

/** Decided on the old key's stream, which records the successor; the successor's own stream follows. */
async function rotate(
  ports: ApiKeyPorts,
  { record: { apiKeyId, accountId, scopes } }: OwnedKey,
  by: Grantor,
  context: CommandContext,
): Promise<RotatedKey> {
  assertMayShow(by, accountId, scopes);
  const { id, text, prefix, last4 } = ports.issueKey();
  const at = now(ports);
  const command = {
    type: 'RotateApiKey',
    successor: { apiKeyId: id, prefix, last4, hash: ports.hashKey(text) },
    graceEndsAt: after(at, ports.graceMs),
    at,
  } as const;
  const step = ownedStep(context, accountId, 'rotate-key');
  const { state } = await ports.runner.run(apiKey, uuidOf(apiKeyId), command, step);
  if (state.status !== 'rotated') throw refuse('conflict', `The key is ${state.status}.`);
  const { successor, graceEndsAt } = state;
  const position = await ensureSuccessor(ports, { apiKeyId, successor, at }, context);
  return { record: successor, text, createdAt: at, previous: { id: apiKeyId, graceEndsAt }, position };
}

/**
 * Idempotent. After a crash before the release, the reservation is reclaimed at the limit. A rotated key's reservation is its
 * successor's, which may not exist yet: released to another key, the account would exceed its limit.
 */
async function revoke(
  ports: ApiKeyPorts,
  { record: { apiKeyId, accountId } }: OwnedKey,
  by: 'owner' | 'staff',
  context: CommandContext,
): Promise<Position | undefined> {
  const at = now(ports);
  const step = ownedStep(context, accountId, 'revoke-key');
  const command = { type: 'RevokeApiKey', by, at } as const;
  const { state, position } = await ports.runner.run(apiKey, uuidOf(apiKeyId), command, step);
  const successor = successorOf(state);
  const released =
    successor === undefined
      ? (
          await release(
            keyQuota(ports),
            { accountId, id: apiKeyId, name: null },
            ownedContext(context, accountId),
          )
        ).position
      : await ensureSuccessor(ports, { apiKeyId, successor, at }, context);
  return released ?? position;
}
