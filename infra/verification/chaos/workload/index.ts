import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { AgentSessionId } from '../../../../contracts/ids.ts';
import type { Tier } from '../../../../contracts/tiers.ts';
import type { Canary } from '../evidence/index.ts';
import type { World } from '../world/index.ts';
import { actions, actors, type Actor } from './actors.ts';
import { createClient } from './client.ts';
import { stepsOf } from './plan.ts';
import { newPlayer, type Player } from './player.ts';
import type { Colleague } from './player.ts';

export interface Workload {
  readonly players: readonly Player[];
  readonly canaries: () => readonly Canary[];
  /** Runs every player's plan until the signal. Resolves when the last exchange has ended. */
  run(until: AbortSignal): Promise<void>;
}

/**
 * Creates the accounts, and a player for each program that uses one. Only actors that work with the world's browsers
 * and whose names contain `who`.
 */
export async function openWorkload(world: World, seed: number, who = ''): Promise<Workload> {
  const chosen = actors.filter(
    ({ name, browsers = 'simulated' }) => browsers === world.browsers && name.includes(who),
  );
  const parts = await Promise.all(chosen.map((actor) => open(world, actor)));
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
  const canaries: Canary[] = [];
  const { email: _, ...owner } = await openAccount(world, actor.name, actor.tier, canaries);
  const players: Player[] = [];
  const rooms = new Set<AgentSessionId>();
  for (let index = 1; index <= actor.players; index += 1) {
    const name = `${actor.name} ${index}`;
    const colleagues = await openColleagues(world, name, actor, canaries);
    const client = createClient(world.stack.baseUrl, world.history, { ...owner, name });
    players.push(newPlayer(client, world, colleagues, actor.sharesAgents ? rooms : undefined));
  }
  return { actor, players, canaries };
}

async function openAccount({ operator }: World, name: string, tier: Tier, canaries: Canary[]) {
  const email = `canary-${randomUUID()}@example.com`;
  const { account, token } = await operator.account(email, tier);
  canaries.push(
    { name: `e-mail address of ${name}`, text: email },
    { name: `API key of ${name}`, text: token },
  );
  return { email, account, token };
}

async function openColleagues(world: World, of: string, { colleagues = 0 }: Actor, canaries: Canary[]) {
  const opened: Colleague[] = [];
  for (let index = 1; index <= colleagues; index += 1) {
    const name = `${of}, colleague ${index}`;
    const { email, ...identity } = await openAccount(world, name, 'personal', canaries);
    const client = createClient(world.stack.baseUrl, world.history, { ...identity, name });
    opened.push({ client, email, membershipId: undefined, isMember: false, spent: new Set() });
  }
  return opened;
}

async function play(player: Player, steps: ReturnType<typeof stepsOf>, until: AbortSignal): Promise<void> {
  for (const { action, thinkMs, random } of steps) {
    await delay(thinkMs, undefined, { signal: until }).catch(() => undefined);
    if (until.aborted) return;
    await actions[action](player, random);
  }
}
