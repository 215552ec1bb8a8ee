import { toId, uuidOf } from '../../contracts/ids.ts';
import { accountWebhooks } from '../../domain/account-webhooks.ts';
import { webhookEndpoint } from '../../domain/webhook-endpoint/webhook-endpoint.ts';
import { now } from '../engine/context.ts';
import { quotaStreamOf, type AccountQuota } from '../engine/reservations.ts';
import type { CommandPorts } from '../engine/runner.ts';

/** Endpoints' shares of the account's quota: a disabled one keeps its share until it is deleted. */
export const webhookQuota = ({ runner, clock }: CommandPorts): AccountQuota => ({
  clock,
  quota: quotaStreamOf(runner, accountWebhooks),
  async resourceOf(id) {
    const { state } = await runner.load(webhookEndpoint, uuidOf(id));
    if (state.status === 'none') return { kind: state.isWithdrawn ? 'ended' : 'not created' };
    return state.status === 'deleted' ? { kind: 'ended' } : { kind: 'present', name: null };
  },
  withdraw: (id, accountId, step) => {
    const webhookId = toId('webhook', uuidOf(id));
    const command = { type: 'WithdrawWebhook', webhookId, accountId, at: now({ clock }) } as const;
    return runner.run(webhookEndpoint, uuidOf(id), command, step);
  },
  async end(id, _accountId, step) {
    const { state } = await runner.load(webhookEndpoint, uuidOf(id));
    if (state.status === 'none') return;
    await runner.run(webhookEndpoint, uuidOf(id), { type: 'DeleteWebhook', at: now({ clock }) }, step);
  },
});
