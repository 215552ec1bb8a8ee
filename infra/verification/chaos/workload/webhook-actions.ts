import { randomUUID } from 'node:crypto';
import { answered, type Exchange } from '../history.ts';
import type { Random } from '../random.ts';
import { receiverKinds, type ReceiverKind } from '../world/receivers.ts';
import type { Action, Player } from './player.ts';

/** Maximal number of endpoints of a program; other tests reach the cap. */
const KEPT = 8;
/** How far back a replay starts, in milliseconds; further than clocks are moved back. */
const REPLAYED_MS = [10_000, 30_000] as const;

const types = [
  'session.completed',
  'session.failed',
  'session.egress_capability_changed',
  'api_key.revoked',
] as const;

const kinds = Object.keys(receiverKinds) as ReceiverKind[];

/** At least one type; mostly with the ends of sessions, which are the most frequent. */
const subscription = (random: Random): string[] => {
  const chosen = types.filter(() => random.next() < 0.6);
  return chosen.length > 0 ? chosen : [types[0]];
};

/** Half of the endpoints answer well; otherwise all would soon be disabled. */
const kindOf = (random: Random): ReceiverKind => (random.next() < 0.5 ? 'good' : random.pick(kinds));

function learnSecret(player: Player, exchange: Exchange): Exchange {
  const secret = answered(exchange, 'secret');
  if (typeof secret === 'string') player.canaries.push({ name: 'signing secret', text: secret });
  return exchange;
}

async function register(player: Player, random: Random): Promise<void> {
  if (player.webhooks.size >= KEPT) return;
  const exchange = await player.client.call({
    action: 'register-webhook',
    target: 'POST /v1/webhooks',
    body: {
      url: player.world.receivers.url(kindOf(random), randomUUID()),
      events: subscription(random),
      description: `chaos ${random.between(1, 1_000)}`,
    },
  });
  const id = answered(learnSecret(player, exchange), 'id');
  if (exchange.answer.kind === 'done' && typeof id === 'string') player.webhooks.add(id);
}

/** Acts on one of the player's endpoints; does nothing if there is none. */
const onOne =
  (act: (player: Player, webhook: string, random: Random) => Promise<unknown>) =>
  async (player: Player, random: Random): Promise<void> => {
    const webhook = player.webhooks.size === 0 ? undefined : random.pick([...player.webhooks]);
    if (webhook !== undefined) await act(player, webhook, random);
  };

const call = (player: Player, action: string, target: string, body?: object): Promise<Exchange> =>
  player.client.call({ action, target, ...(body && { body }) });

async function remove(player: Player, webhook: string): Promise<void> {
  const { answer } = await call(player, 'delete-webhook', `DELETE /v1/webhooks/${webhook}`);
  if (answer.kind === 'done') player.webhooks.delete(webhook);
}

/** Once an answer says that it is disabled or gone, the player drops it. */
async function test(player: Player, webhook: string): Promise<void> {
  const { answer } = await call(player, 'test-webhook', `POST /v1/webhooks/${webhook}/test`);
  if (answer.kind === 'refused') player.webhooks.delete(webhook);
}

async function listDeliveries(player: Player, webhook: string): Promise<void> {
  const exchange = await call(player, 'list', `GET /v1/webhooks/${webhook}/deliveries?limit=20`);
  if (exchange.answer.kind !== 'done') return;
  const { data } = JSON.parse(exchange.answer.text) as {
    data: { id: string; delivered_at: string | null }[];
  };
  const [last] = data.filter(({ delivered_at }) => delivered_at !== null);
  if (last !== undefined) player.deliveries.add(last.id);
}

const change = (player: Player, webhook: string, random: Random): Promise<Exchange> =>
  call(player, 'change-webhook', `PATCH /v1/webhooks/${webhook}`, {
    events: subscription(random),
    description: randomUUID(),
  });

const replayRange = (player: Player, webhook: string, random: Random): Promise<Exchange> =>
  call(player, 'replay-range', `POST /v1/webhooks/${webhook}/replay`, {
    since: new Date(Date.now() - random.between(...REPLAYED_MS)).toISOString(),
    ...(random.next() < 0.5 && { types: subscription(random) }),
  });

export const webhookActions = {
  'register an endpoint': register,
  'change an endpoint': onOne(change),
  'delete an endpoint': onOne(remove),
  'rotate a secret': onOne(async (player, webhook) =>
    learnSecret(player, await call(player, 'rotate-secret', `POST /v1/webhooks/${webhook}/rotate-secret`)),
  ),
  'test an endpoint': onOne(test),
  'list deliveries': onOne(listDeliveries),
  'replay a delivery': async (player, random) => {
    if (player.deliveries.size === 0) return;
    const delivery = random.pick([...player.deliveries]);
    await call(player, 'replay-delivery', `POST /v1/webhook-deliveries/${delivery}/replay`);
  },
  'replay a range': onOne(replayRange),
} as const satisfies Readonly<Record<string, Action>>;
