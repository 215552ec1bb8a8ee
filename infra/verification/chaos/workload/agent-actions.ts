import { parseId, type AgentSessionId } from '../../../../contracts/ids.ts';
import { answered, type Exchange } from '../history.ts';
import type { Random } from '../random.ts';
import type { Call } from './client.ts';
import { plant } from './operations.ts';
import type { Action, Player } from './player.ts';

/** Few, so that each gets many messages, and their browsers stay below the tier's cap. */
const KEPT = 3;
const ownKey = { 'x-byok-llm-api-key': 'sk-ant-own' };
const modes = ['ai', 'pair', 'manual'] as const;

async function open(player: Player, random: Random): Promise<void> {
  if (player.agents.size >= KEPT) return;
  const made = await player.client.call({
    action: 'open-agent',
    target: 'POST /v1/agent-sessions',
    body: { mode: random.next() < 0.6 ? 'ai' : 'pair' },
  });
  const id = parseId('agentSession', String(answered(made, 'id')));
  if (made.answer.kind === 'done' && id !== undefined) player.agents.add(id);
}

/** Sentences of the grammar. Passwords in them are planted secrets. */
const sentences: readonly ((player: Player) => string)[] = [
  () => 'go to http://sim.test/form',
  () => 'go to http://sim.test/slow?ms=150',
  () => 'scroll down 100',
  () => 'wait 0.1 seconds',
  (player) => `type password "${plant(player, 'password told to an agent')}" into selector #name`,
];

const understood = (player: Player, random: Random): string =>
  Array.from({ length: random.between(1, 3) }, () => random.pick(sentences)(player)).join('; ');

function say(player: Player, agent: AgentSessionId, user_message: string, key: string): Promise<Exchange> {
  const target = `POST /v1/agent-sessions/${agent}/message`;
  const call = { action: 'say', target, body: { user_message }, key, headers: ownKey };
  player.said.push(call);
  return send(player, agent, call);
}

/** Once an answer says that it is closed, the player drops it. */
async function send(player: Player, agent: AgentSessionId, call: Call): Promise<Exchange> {
  const exchange = await player.client.call(call);
  if (exchange.answer.text?.includes('is closed') === true) player.agents.delete(agent);
  return exchange;
}

const keyOf = (random: Random): string => `said-${random.between(1, 1_000_000_000)}`;

/** Something that the grammar understands. */
export const sayAnything = (player: Player, agent: AgentSessionId, random: Random): Promise<Exchange> =>
  say(player, agent, understood(player, random), keyOf(random));

const takeOver = ({ client }: Player, agent: AgentSessionId): Promise<Exchange> => {
  const target = `POST /v1/agent-sessions/${agent}/takeover`;
  return client.call({ action: 'take-over', target, body: { client_id: client.name } });
};

export async function close(player: Player, agent: AgentSessionId): Promise<void> {
  const target = `DELETE /v1/agent-sessions/${agent}`;
  const { answer } = await player.client.call({ action: 'close-agent', target });
  if (answer.kind === 'done') player.agents.delete(agent);
}

/** Acts on one of the player's agent sessions; does nothing if there is none. */
export const onOne =
  (act: (player: Player, agent: AgentSessionId, random: Random) => Promise<unknown>): Action =>
  async (player, random) => {
    if (player.agents.size > 0) await act(player, random.pick([...player.agents]), random);
  };

export const agentActions = {
  'open an agent session': open,
  'say what the grammar understands': onOne(sayAnything),
  'say what a model is asked about': onOne((player, agent, random) =>
    say(player, agent, 'Is there anything new?', keyOf(random)),
  ),
  'say the same twice at once': onOne((player, agent, random) => {
    const [message, key] = [understood(player, random), keyOf(random)];
    return Promise.all([say(player, agent, message, key), say(player, agent, message, key)]);
  }),
  'say it again': async (player, random) => {
    const call = player.said.length === 0 ? undefined : random.pick(player.said.slice(-5));
    if (call !== undefined) await player.client.call(call);
  },
  'take over under a message': onOne((player, agent, random) =>
    Promise.all([sayAnything(player, agent, random), takeOver(player, agent)]),
  ),
  'change the mode': onOne((player, agent, random) => {
    const target = `POST /v1/agent-sessions/${agent}/mode`;
    return player.client.call({ action: 'change-mode', target, body: { mode: random.pick(modes) } });
  }),
  'close an agent session': onOne(close),
  'close under a message': onOne((player, agent, random) =>
    Promise.all([sayAnything(player, agent, random), close(player, agent)]),
  ),
} as const satisfies Readonly<Record<string, Action>>;
