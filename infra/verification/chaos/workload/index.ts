import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Canary } from '../evidence/index.ts';
import type { World } from '../world/index.ts';
import { actions, actors, type Actor } from './actors.ts';
import { createClient } from './client.ts';
import { stepsOf } from './plan.ts';
import { newPlayer, type Player } from './player.ts';

export interface Workload {
  readonly players: readonly Player[];
  readonly canaries: () => readonly Canary[];
  /** Every player follows its plan until the signal; resolves when the last exchange has ended. */
  run(until: AbortSignal): Promise<void>;
}

/** Makes the accounts, and a player for each program that uses one. */
export async function openWorkload(world: World, seed: number): Promise<Workload> {
  const parts = await Promise.all(actors.map((actor) => open(world, actor)));
  const players = parts.flatMap((part) => part.players);
  return {
    players,
    canaries: () => [
      ...parts.flatMap((part) => part.canaries),
      ...players.flatMap(({ canaries }) => canaries),
    ],
    run: async (until) => {
      setMaxListeners(0, until);
      const work = parts.flatMap(({ actor, players }) =>
        players.map((player, index) => play(player, stepsOf(seed, actor, index), until)),
      );
      await Promise.all(work);
    },
  };
}

async function open(world: World, actor: Actor) {
  const email = `canary-${randomUUID()}@example.com`;
  const { account, token } = await world.operator.account(email, actor.tier);
  const players = Array.from({ length: actor.players }, (_, index) => {
    const name = `${actor.name} ${index + 1}`;
    return newPlayer(createClient(world.stack.baseUrl, world.history, { name, account, token }), world);
  });
  const canaries: Canary[] = [
    { name: `e-mail address of ${actor.name}`, text: email },
    { name: `API key of ${actor.name}`, text: token },
  ];
  return { actor, players, canaries };
}

async function play(player: Player, steps: ReturnType<typeof stepsOf>, until: AbortSignal): Promise<void> {
  for (const { action, thinkMs, random } of steps) {
    await delay(thinkMs, undefined, { signal: until }).catch(() => undefined);
    if (until.aborted) return;
    await actions[action](player, random);
  }
}
