import { toId, uuidOf, type ApiKeyId } from '../../contracts/ids.ts';
import { account, keyReservations, type Account } from '../../domain/account.ts';
import { apiKey, successorOf, validityAt } from '../../domain/api-key.ts';
import type { Quota, QuotaCommand } from '../../domain/kit/quota.ts';
import { now, stepContext, type CommandContext } from '../engine/context.ts';
import type { AccountQuota } from '../engine/reservations.ts';
import type { CommandPorts } from '../engine/runner.ts';
import { ensureSuccessor } from './successor.ts';

/** Who creates the key: the tier allows staff one more. */
export type Grant = 'customer' | 'staff';

/**
 * The keys' quota, reserved on the account's own stream, beside its tier. A rotated key, revoked since or not, keeps its share
 * until its successor takes it over.
 */
export const keyQuota = ({ runner, clock }: CommandPorts, by: Grant = 'customer'): AccountQuota => ({
  clock,
  quota: {
    category: account.category,
    load: async (uuid) => quotaOf((await runner.load(account, uuid)).state),
    run: async (uuid, command, step) => {
      const { state, position } = await runner.run(account, uuid, onAccount(command, by), step);
      return { state: quotaOf(state), position };
    },
  },
  async resourceOf(id) {
    const { state } = await runner.load(apiKey, uuidOf(id));
    if (state.status === 'none') return { kind: state.isWithdrawn ? 'ended' : 'not created' };
    const isOver = successorOf(state) === undefined && validityAt(state, clock.now()) !== 'active';
    return isOver ? { kind: 'ended' } : { kind: 'present', name: null };
  },
  withdraw: (id, accountId, step) => {
    const withdraw = { type: 'WithdrawApiKey', apiKeyId: keyId(id), accountId, at: now({ clock }) } as const;
    return runner.run(apiKey, uuidOf(id), withdraw, step);
  },
  end: (id, _accountId, step) => endKey({ runner, clock }, keyId(id), step),
});

/** Revokes a key and its successor, which holds no reservation if the erasure came first. */
async function endKey(ports: CommandPorts, id: ApiKeyId, context: CommandContext): Promise<void> {
  const { runner } = ports;
  const at = now(ports);
  if ((await runner.load(apiKey, uuidOf(id))).state.status === 'none') return;
  const revoke = { type: 'RevokeApiKey', by: 'staff', at } as const;
  const { state } = await runner.run(apiKey, uuidOf(id), revoke, stepContext(context, id));
  const successor = successorOf(state);
  if (successor === undefined) return;
  await ensureSuccessor(ports, { apiKeyId: id, successor, at }, context);
  await endKey(ports, successor.apiKeyId, context);
}

const keyId = (id: string) => toId('apiKey', uuidOf(id));

function quotaOf(state: Account): Quota {
  if (state.status === 'none') return { reservations: [] };
  const { accountId } = state;
  return {
    reservations: keyReservations(state).map(({ id, since }) => ({ id, accountId, since, names: [] })),
  };
}

/** A withdrawn key is never admitted again, so a reservation is never renewed. */
const onAccount = ({ type, id, at }: QuotaCommand, by: Grant) =>
  type === 'Reserve'
    ? ({ type: 'AdmitApiKey', apiKeyId: keyId(id), by, at } as const)
    : ({ type: 'DismissApiKey', apiKeyId: keyId(id), at } as const);
