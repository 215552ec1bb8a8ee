import { creatorOf } from '../../contracts/resources/creator.ts';
import { parseId, uuidOf, type AccountId } from '../../contracts/ids.ts';
import { accountWebhooks } from '../../domain/account-webhooks.ts';
import { account } from '../../domain/account.ts';
import type { EventStore, Position } from '../../infra/event-store/client/types.ts';
import type { ApiKeyCommands } from '../api-key/index.ts';
import { stepContext, type CommandContext } from '../engine/context.ts';
import { inBatches } from '../engine/in-batches.ts';
import type { Runner } from '../engine/runner.ts';
import type { WebhookCommands } from '../webhook-endpoint/index.ts';

export interface MadeByPorts {
  readonly runner: Pick<Runner, 'load'>;
  readonly store: Pick<EventStore, 'readStream'>;
  readonly apiKeys: Pick<ApiKeyCommands, 'find' | 'revoke'>;
  readonly webhooks: Pick<WebhookCommands, 'findEvenDeleted' | 'delete'>;
}

/** Streams read at once. */
const atOnce = 32;

/**
 * Ends the keys and the endpoints of an owner's account that a member made, in any number of tries: keys whose rotation still runs out
 * too. Gives the position of the last change.
 */
export async function endMadeBy(
  ports: MadeByPorts,
  owner: AccountId,
  member: AccountId,
  context: CommandContext,
): Promise<Position | undefined> {
  const { runner, apiKeys, webhooks } = ports;
  const ended: (Position | undefined)[] = [];
  const byMember = async (category: string, id: string) =>
    (await makerOf(ports, `${category}-${uuidOf(id)}`)) === member;
  const { state } = await runner.load(account, uuidOf(owner));
  await inBatches(Object.keys(state.status === 'none' ? {} : state.keys), atOnce, async (id) => {
    if (!(await byMember('api_key', id))) return;
    const key = await apiKeys.find(owner, id);
    ended.push(await apiKeys.revoke(key, 'owner', stepContext(context, `end ${id}`)));
  });
  const { reservations } = (await runner.load(accountWebhooks, uuidOf(owner))).state;
  await inBatches(reservations, atOnce, async ({ id }) => {
    if (!(await byMember('webhook_endpoint', id))) return;
    const webhook = await webhooks.findEvenDeleted(owner, id);
    ended.push(await webhooks.delete(webhook, stepContext(context, `end ${id}`)));
  });
  return ended.findLast((position) => position !== undefined);
}

/** Whose credential a stream was begun with; undefined for one that holds nothing but a withdrawal, or was begun by staff. */
async function makerOf({ store }: MadeByPorts, stream: string): Promise<AccountId | undefined> {
  for await (const { type, metadata } of store.readStream(stream)) {
    if (type.endsWith('Withdrawn')) return undefined;
    return parseId('account', creatorOf(metadata.actor)?.account_id ?? '');
  }
  return undefined;
}
