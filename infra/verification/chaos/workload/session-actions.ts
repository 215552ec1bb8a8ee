import { parseId, type SessionId } from '../../../../contracts/ids.ts';
import { answered, type Exchange } from '../history.ts';
import type { Random } from '../random.ts';
import type { Call } from './client.ts';
import { operations } from './operations.ts';
import { openCalls, type Action, type Player } from './player.ts';

const oneOf = (player: Player, random: Random): SessionId | undefined =>
  player.sessions.size === 0 ? undefined : random.pick([...player.sessions]);

const learn = (player: Player, exchange: Exchange): Exchange => {
  const id = parseId('session', String(answered(exchange, 'id')));
  if (exchange.answer.kind === 'done' && id !== undefined) player.sessions.add(id);
  return exchange;
};

const create = async (player: Player, call: Call): Promise<Exchange> =>
  learn(player, await player.client.call(call));

const keyed = (random: Random): Call => ({
  ...createCall(random),
  key: `key-${random.between(1, 1_000_000_000)}`,
});

async function operate(player: Player, session: SessionId, random: Random): Promise<Exchange> {
  const { target, body } = random.weighted(operations);
  const exchange = await player.client.call({
    action: 'operate',
    target: target(session),
    ...(body && { body: body(player, random) }),
  });
  if (exchange.answer.status === 410 || exchange.answer.status === 404) player.sessions.delete(session);
  return exchange;
}

async function destroy(player: Player, session: SessionId): Promise<Exchange> {
  const exchange = await player.client.call({ action: 'destroy', target: `DELETE /v1/sessions/${session}` });
  if (exchange.answer.kind === 'done') player.sessions.delete(session);
  return exchange;
}

const get = (player: Player, session: SessionId): Promise<Exchange> =>
  player.client.call({ action: 'get', target: `GET /v1/sessions/${session}` });

const createCall = (random: Random): Call => ({
  action: 'create',
  target: 'POST /v1/sessions',
  body: { label: `chaos ${random.between(1, 1_000_000)}`, metadata: { lane: random.between(1, 9) } },
});

/** Acts on one of the player's sessions; does nothing if there is none. */
const onOne =
  (act: (player: Player, session: SessionId, random: Random) => Promise<unknown>) =>
  async (player: Player, random: Random): Promise<void> => {
    const session = oneOf(player, random);
    if (session !== undefined) await act(player, session, random);
  };

export const sessionActions = {
  create: (player, random) => create(player, createCall(random)),
  'create, with a key': (player, random) => create(player, keyed(random)),
  'create twice at once': async (player, random) => {
    const call = keyed(random);
    await Promise.all([create(player, call), create(player, call)]);
  },
  'retry a create': async (player, random) => {
    const open = openCalls(player, 'create');
    if (open.length > 0) await create(player, random.pick(open));
  },
  operate: onOne(operate),
  'operate twice at once': onOne((player, session, random) =>
    Promise.all([operate(player, session, random), operate(player, session, random.of('rival'))]),
  ),
  destroy: onOne(destroy),
  'destroy under an operation': onOne((player, session, random) =>
    Promise.all([operate(player, session, random), destroy(player, session)]),
  ),
  get: onOne(get),
  'create and get': async (player, random) => {
    const made = await create(player, createCall(random));
    const id = parseId('session', String(answered(made, 'id')));
    if (id !== undefined) await get(player, id);
  },
  'destroy and get': onOne(async (player, session) => {
    await destroy(player, session);
    await get(player, session);
  }),
  list: (player) => player.client.call({ action: 'list', target: 'GET /v1/sessions?limit=20' }),
} as const satisfies Readonly<Record<string, Action>>;
