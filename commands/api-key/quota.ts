import { uuidOf, type AccountId, type ApiKeyId } from '../../contracts/ids.ts';
import { account, keyReservations } from '../../domain/account.ts';
import { apiKey, successorOf, validityAt, type ApiKey } from '../../domain/api-key.ts';
import { stepOf } from '../engine/derived-context.ts';
import type { CommandContext } from '../engine/context.ts';
import { isAbandoned, takeUnderCap } from '../engine/quota.ts';
import type { ApiKeyPorts } from './ports.ts';

/** Takes a place under the account's cap; when it is full, from keys that ended without giving theirs back. */
export async function takePlace(
  ports: ApiKeyPorts,
  accountId: AccountId,
  apiKeyId: ApiKeyId,
  by: 'customer' | 'staff',
  context: CommandContext,
): Promise<void> {
  const admit = () =>
    ports.runner.run(
      account,
      uuidOf(accountId),
      { type: 'AdmitApiKey', apiKeyId, by, at: ports.clock.now().toISOString() },
      stepOf(context, 'admit-key'),
    );
  await takeUnderCap(ports.clock, admit, () => reclaim(ports, accountId, context));
}

export const givePlaceBack = (
  { runner, clock }: ApiKeyPorts,
  accountId: AccountId,
  apiKeyId: ApiKeyId,
  context: CommandContext,
) =>
  runner.run(
    account,
    uuidOf(accountId),
    { type: 'DismissApiKey', apiKeyId, at: clock.now().toISOString() },
    stepOf(context, `dismiss ${apiKeyId}`),
  );

async function reclaim(ports: ApiKeyPorts, accountId: AccountId, context: CommandContext): Promise<void> {
  const { state } = await ports.runner.load(account, uuidOf(accountId));
  if (state.status === 'none') return;
  for (const { apiKeyId, since } of keyReservations(state)) {
    const { state: key } = await ports.runner.load(apiKey, uuidOf(apiKeyId));
    if (hasEnded(key, since, ports.clock.now())) await givePlaceBack(ports, accountId, apiKeyId, context);
  }
}

/** A rotated key, revoked since or not, keeps its place until its successor takes it over. */
function hasEnded(key: ApiKey, admittedAt: string, now: Date): boolean {
  if (key.status === 'none') return isAbandoned(admittedAt, now);
  return successorOf(key) === undefined && validityAt(key, now) !== 'active';
}
