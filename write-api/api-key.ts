import type { ApiKeyCommands, IssuedKey } from '../commands/api-key/index.ts';
import type { Caller } from '../commands/engine/context.ts';
import type { Scope } from '../contracts/events/api-key.ts';
import { invalid } from '../contracts/field-errors.ts';
import type { IssuedApiKey } from '../contracts/resources/api-key.ts';
import type { Clock } from '../infra/platform/clock.ts';
import { onFound, type Handlers } from '../infra/http/index.ts';
import { timeOf } from '../infra/http/time.ts';
import { at, type Answering } from './engine/handling.ts';
import { duringOutage } from './engine/outage.ts';

export interface ApiKeyHandlerOptions {
  readonly apiKeys: ApiKeyCommands;
  readonly clock: Clock;
  readonly answering: Answering;
}

type ApiKeyHandlers = Pick<
  Handlers<'write', Caller>,
  Extract<keyof Handlers<'write', Caller>, `api-keys.${string}`>
>;

const defaultScopes: readonly Scope[] = ['read', 'write'];

/** The routes that make, replace and revoke API keys. */
export function apiKeyHandlers({ apiKeys, clock, answering }: ApiKeyHandlerOptions): ApiKeyHandlers {
  const exists = duringOutage((caller: Caller, { id }: { readonly id: string }) =>
    apiKeys.find(caller.accountId, id),
  );

  return {
    'api-keys.create': {
      run: answering(async ({ caller, body }) => {
        const { name, scopes = defaultScopes, expires_at = null } = body;
        const expiresAt = expires_at === null ? null : futureTime(expires_at, clock);
        const { accountId, context } = caller;
        const issued = await apiKeys.create(accountId, { name, scopes, expiresAt }, caller, context);
        return { body: shownOnce(issued), ...at(issued.position) };
      }),
    },
    'api-keys.rotate': onFound({
      exists,
      run: answering(async ({ caller, found }) => {
        const rotated = await apiKeys.rotate(found, caller, caller.context);
        const previous = { id: rotated.previous.id, expires_at: rotated.previous.graceEndsAt };
        return { body: { ...shownOnce(rotated), previous }, ...at(rotated.position) };
      }),
    }),
    'api-keys.revoke': onFound({
      exists,
      run: answering(async ({ caller, found }) => at(await apiKeys.revoke(found, 'owner', caller.context))),
    }),
  };
}

function futureTime(time: string, clock: Clock): string {
  const expiresAt = timeOf('/body/expires_at', time);
  if (expiresAt > clock.now()) return expiresAt.toISOString();
  throw invalid({ path: '/body/expires_at', code: 'future', message: 'must be in the future' });
}

const shownOnce = ({ record, text, createdAt }: IssuedKey): IssuedApiKey => ({
  id: record.apiKeyId,
  name: record.name,
  prefix: record.prefix,
  last4: record.last4,
  scopes: record.scopes,
  status: 'active',
  created_at: createdAt,
  expires_at: record.expiresAt,
  revoked_at: null,
  last_used_at: null,
  key: text,
});
