import type { WebhookDeliveryId, WebhookId } from '../../../contracts/ids.ts';
import {
  subscribableEventTypes,
  type SubscribableEventType,
} from '../../../contracts/webhooks/event-types.ts';
import { systemContext, type CommandContext } from '../../../commands/engine/context.ts';
import { requeueDelivery } from '../../../commands/webhook-delivery/requeue.ts';
import type { ExistingWebhook, WebhookCommands } from '../../../commands/webhook-endpoint/index.ts';
import type { Stage } from './stage.ts';
import { receiverModes } from './fake-receivers.ts';
import { at } from './names.ts';
import { isReplay } from './webhook-oracle.ts';
import type { SimulatedAccount, World } from './world.ts';

export const webhookActionKinds = [
  'register an endpoint',
  'change an endpoint',
  'delete an endpoint',
  'rotate a secret',
  'test an endpoint',
  'replay a delivery',
  'replay a range',
  'cancel a replay',
  'requeue a delivery',
  'change a receiver',
  'lose the locks',
] as const;
export type WebhookActionKind = (typeof webhookActionKinds)[number];

const urls = ['https://one.example/hooks', 'https://other.example/hooks'];
const subscriptions: readonly (readonly SubscribableEventType[])[] = [
  subscribableEventTypes,
  ['session.completed'],
  ['session.failed'],
];

interface Found<Id> {
  readonly id: Id;
  readonly account: SimulatedAccount;
}

interface About {
  readonly accountId: string;
  readonly webhookId: WebhookId;
  readonly deliveryId: WebhookDeliveryId;
}

/** Subject of an event of that type, including unanswered and deleted ones. */
function anyOf<Name extends 'webhookId' | 'deliveryId'>(
  { accounts, store }: World,
  type: 'WebhookRegistered' | 'DeliveryScheduled' | 'DeliveryDeadLettered',
  name: Name,
  pick: number,
): Found<About[Name]> | undefined {
  const event = at(
    store.log.filter((each) => each.type === type),
    pick,
  );
  if (event === undefined) return undefined;
  const data = event.data as About;
  const account = accounts.find(({ id }) => id === data.accountId);
  return account && { id: data[name], account };
}

type Perform = (stage: Stage, pick: number) => Promise<unknown> | undefined;

interface Ask {
  readonly webhooks: WebhookCommands;
  readonly webhook: ExistingWebhook;
  readonly context: CommandContext;
  readonly pick: number;
  readonly world: World;
}

const onEndpoint =
  (ask: (about: Ask) => Promise<unknown>): Perform =>
  ({ world, requests, writer }, pick) => {
    const found = anyOf(world, 'WebhookRegistered', 'webhookId', pick);
    if (found === undefined) return undefined;
    const { id, account } = found;
    return requests.webhooks(writer, account, async (webhooks, context) => {
      const webhook = await webhooks.find(account.id, id);
      return ask({ webhooks, webhook, context, pick, world });
    });
  };

/** Earlier than every event of a run. */
const longAgo = '2026-01-01T00:00:00.000Z';

export const webhookActions: Record<WebhookActionKind, Perform> = {
  'register an endpoint': ({ world, requests, writer }, pick) => {
    const account = at(world.accounts, pick);
    const [url, events] = [at(urls, pick >> 1), at(subscriptions, pick)];
    if (account === undefined || url === undefined || events === undefined) return undefined;
    return requests.webhooks(writer, account, (webhooks, context) =>
      webhooks.register(account.id, { url, events, description: null }, context),
    );
  },
  'change an endpoint': onEndpoint(({ webhooks, webhook, context, pick }) =>
    webhooks.change(webhook, { events: at(subscriptions, pick), description: undefined }, context),
  ),
  'delete an endpoint': onEndpoint(({ webhooks, webhook, context }) => webhooks.delete(webhook, context)),
  'rotate a secret': onEndpoint(({ webhooks, webhook, context }) => webhooks.rotateSecret(webhook, context)),
  'test an endpoint': onEndpoint(({ webhooks, webhook, context }) => webhooks.requestTest(webhook, context)),
  'replay a range': onEndpoint(({ webhooks, webhook, context, pick, world }) => {
    const types = pick % 2 === 0 ? null : ['session.completed' as const];
    const until = world.clock.now().toISOString();
    return webhooks.requestReplay(webhook, { since: longAgo, until, types }, context);
  }),
  'cancel a replay': onEndpoint(async ({ webhooks, webhook, context, world }) => {
    const replays = world.store.log.filter(isReplay);
    const last = replays.findLast(({ data }) => data.webhookId === webhook.webhookId);
    if (last !== undefined) await webhooks.cancelReplay(webhook, last.data.replayId, context);
  }),
  'replay a delivery': ({ world, requests, writer }, pick) => {
    const found = anyOf(world, 'DeliveryScheduled', 'deliveryId', pick);
    if (found === undefined) return undefined;
    const { id, account } = found;
    return requests.webhooks(writer, account, async (webhooks, context) =>
      webhooks.replayDelivery(await webhooks.findDelivery(account.id, id), context),
    );
  },
  'requeue a delivery': ({ world, requests, writer }, pick) => {
    const found = anyOf(world, 'DeliveryDeadLettered', 'deliveryId', pick);
    if (found === undefined) return undefined;
    const context = systemContext(world.newUuid(), 'request:simulated');
    return requests.other(writer, ({ runner }) =>
      requeueDelivery({ runner, clock: world.clock }, found.id, context),
    );
  },
  'change a receiver': async ({ world }, pick) => {
    const [url, mode] = [at(urls, pick), at(receiverModes, pick >> 1)];
    if (url !== undefined && mode !== undefined) world.receivers.set(url, mode);
  },
  'lose the locks': async ({ world }) => world.deliveries.loseLocks(),
};
