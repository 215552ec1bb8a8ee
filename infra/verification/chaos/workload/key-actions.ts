import { answered, type Exchange } from '../history.ts';
import type { Random } from '../random.ts';
import type { Action, HeldKey, Player } from './player.ts';

/** Milliseconds after which a revocation or suspension is effective everywhere: more than any cache lives. */
export const EFFECTIVE_AFTER_MS = 3_000;

const inUse = (player: Player): HeldKey[] =>
  [...player.keys.values()].filter(({ revokedAt }) => revokedAt === undefined);

function learn(player: Player, exchange: Exchange): Exchange {
  const [id, token] = [answered(exchange, 'id'), answered(exchange, 'key')];
  if (exchange.answer.kind !== 'done' || typeof id !== 'string' || typeof token !== 'string') return exchange;
  player.keys.set(id, { id, token });
  player.canaries.push({ name: `API key ${id}`, text: token });
  return exchange;
}

const withOne =
  (act: (player: Player, key: HeldKey, random: Random) => Promise<unknown>) =>
  async (player: Player, random: Random): Promise<void> => {
    const keys = inUse(player);
    if (keys.length > 0) await act(player, random.pick(keys), random);
  };

const listWith = (player: Player, token: string, action: string): Promise<Exchange> =>
  player.client.call({ action, target: 'GET /v1/sessions?limit=1', token });

async function revoke(player: Player, key: HeldKey): Promise<void> {
  // From here on its revocation is unknown, unless the answer confirms it.
  player.keys.delete(key.id);
  const { answer } = await player.client.call({
    action: 'revoke-key',
    target: `DELETE /v1/api-keys/${key.id}`,
  });
  if (answer.kind === 'done') player.keys.set(key.id, { ...key, revokedAt: Date.now() });
}

export const keyActions = {
  'create a key': async (player, random) => {
    const body = { name: `chaos ${random.between(1, 1_000)}`, scopes: ['read', 'write'] };
    return learn(
      player,
      await player.client.call({ action: 'create-key', target: 'POST /v1/api-keys', body }),
    );
  },
  'use a key': withOne((player, { token }) => listWith(player, token, 'list')),
  'rotate a key': withOne(async (player, { id }) =>
    learn(
      player,
      await player.client.call({
        action: 'rotate-key',
        target: `POST /v1/api-keys/${id}/rotate`,
        body: {},
      }),
    ),
  ),
  'revoke a key': withOne(revoke),
  'try a revoked key': async (player, random) => {
    const old = [...player.keys.values()].filter(
      ({ revokedAt = Infinity }) => Date.now() - revokedAt > EFFECTIVE_AFTER_MS,
    );
    if (old.length > 0) await listWith(player, random.pick(old).token, 'try-revoked');
  },
} as const satisfies Readonly<Record<string, Action>>;
