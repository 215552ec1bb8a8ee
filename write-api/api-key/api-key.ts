import type { ApiKeyCommands, IssuedKey } from '../../commands/api-key/index.ts';
import { endUnlessAllowed, type MakingPorts } from '../../commands/team/made-by.ts';
import type { Caller } from '../../commands/engine/context.ts';
import type { Scope } from '../../contracts/events/api-key.ts';
import { invalid } from '../../contracts/field-errors.ts';
import { creatorOf } from '../../contracts/resources/creator.ts';
import { presentApiKey, type IssuedApiKey } from '../../contracts/resources/api-key.ts';
import type { Clock } from '../../infra/platform/clock.ts';
import { timeOf } from '../../infra/http/time.ts';
import type { Handling, HandlersOf } from '../engine/handling.ts';

const defaultScopes: readonly Scope[] = ['read', 'write'];

/** The routes that create, rotate and revoke API keys. */
export function apiKeyHandlers(
  ports: MakingPorts & { readonly apiKeys: ApiKeyCommands },
  clock: Clock,
  { answering, answeringOn }: Handling,
): HandlersOf<'api-keys.create' | 'api-keys.rotate' | 'api-keys.revoke'> {
  const { apiKeys } = ports;
  const onKey = answeringOn(({ accountId }, id) => apiKeys.find(accountId, id));
  return {
    'api-keys.create': answering(async ({ caller, body }) => {
      const { name, scopes = defaultScopes, expires_at = null } = body;
      const expiresAt = expires_at === null ? null : futureTime(expires_at, clock);
      const { accountId, context } = caller;
      const issued = await apiKeys.create(accountId, { name, scopes, expiresAt }, caller, context);
      await endUnlessAllowed(ports, caller, { apiKeys: [issued.record.apiKeyId] });
      return { body: shownOnce(issued, caller, clock), position: issued.position };
    }),
    'api-keys.rotate': onKey(async ({ caller, found }) => {
      const rotated = await apiKeys.rotate(found, caller, caller.context);
      await endUnlessAllowed(ports, caller, { apiKeys: [rotated.record.apiKeyId] });
      const previous = { id: rotated.previous.id, expires_at: rotated.previous.graceEndsAt };
      return { body: { ...shownOnce(rotated, caller, clock), previous }, position: rotated.position };
    }),
    'api-keys.revoke': onKey(async ({ caller, found }) => ({
      position: await apiKeys.revoke(found, 'owner', caller.context),
    })),
  };
}

function futureTime(time: string, clock: Clock): string {
  const expiresAt = timeOf('/body/expires_at', time);
  if (expiresAt > clock.now()) return expiresAt.toISOString();
  throw invalid({ path: '/body/expires_at', code: 'future', message: 'must be in the future' });
}

const shownOnce = (
  { record, text, createdAt }: IssuedKey,
  { context }: Caller,
  clock: Clock,
): IssuedApiKey => ({
  ...presentApiKey(
    {
      ...{ id: record.apiKeyId, name: record.name, prefix: record.prefix, last4: record.last4 },
      ...{ scopes: record.scopes, created_at: createdAt, expires_at: record.expiresAt },
      ...{ revoked_at: null, rotated_to: null, last_used_at: null },
      created_by: creatorOf(context.actor),
    },
    clock.now(),
  ),
  key: text,
});
