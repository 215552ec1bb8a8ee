import { uuidOf, type AccountId, type ApiKeyId } from '../../contracts/ids.ts';
import { account, keyReservations } from '../../domain/account.ts';
import { apiKey, successorOf, validityAt } from '../../domain/api-key.ts';
import { stepContext } from '../engine/derived-context.ts';
import type { CommandContext } from '../engine/context.ts';
import { reserveQuota } from '../engine/quota.ts';
import type { ApiKeyPorts } from './ports.ts';

/**
 * Reserves the account's quota for a key. A rotated key, revoked since or not, keeps its reservation until its successor
 * takes it over.
 */
export const reserveKey = (
  ports: ApiKeyPorts,
  accountId: AccountId,
  apiKeyId: ApiKeyId,
  by: 'customer' | 'staff',
  context: CommandContext,
): Promise<void> => {
  const { runner, clock } = ports;
  return reserveQuota({
    clock,
    reserve: () =>
      runner.run(
        account,
        uuidOf(accountId),
        { type: 'AdmitApiKey', apiKeyId, by, at: clock.now().toISOString() },
        stepContext(context, 'admit-key'),
      ),
    release: (id: ApiKeyId) => releaseKey(ports, accountId, id, context),
    reservations: async () => keyReservations((await runner.load(account, uuidOf(accountId))).state),
    resource: (id) => runner.load(apiKey, uuidOf(id)),
    hasEnded: (key, now) => successorOf(key) === undefined && validityAt(key, now) !== 'active',
  });
};

export const releaseKey = (
  { runner, clock }: ApiKeyPorts,
  accountId: AccountId,
  apiKeyId: ApiKeyId,
  context: CommandContext,
) =>
  runner.run(
    account,
    uuidOf(accountId),
    { type: 'DismissApiKey', apiKeyId, at: clock.now().toISOString() },
    stepContext(context, `dismiss ${apiKeyId}`),
  );
