import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Refusal } from '../../../../contracts/problems.ts';
import type { Answer, Exchange } from '../history.ts';
import { EFFECTIVE_AFTER_MS } from './key-actions.ts';
import type { Action, Player } from './player.ts';

function byStaff(player: Player, action: 'suspend' | 'unsuspend'): Promise<Exchange> {
  const { history, operator } = player.world;
  const { account } = player.client;
  const id = randomUUID();
  const question = { id, actor: 'staff', account, action, target: `account ${action} ${account}` };
  return history.record(question, async (): Promise<Answer> => {
    try {
      const changed = await operator[action](account, id);
      if (changed === undefined)
        return { kind: 'refused', status: 409, headers: {}, text: 'nothing to change' };
      return { kind: 'done', status: 200, headers: {}, text: '' };
    } catch (error) {
      if (error instanceof Refusal) return { kind: 'refused', status: 409, headers: {}, text: error.slug };
      return { kind: 'unknown', why: String(error) };
    }
  });
}

/** Suspends an account, uses it once when the suspension must be effective everywhere, and always reinstates it. */
async function suspendForAWhile(player: Player): Promise<void> {
  const { answer } = await byStaff(player, 'suspend');
  await delay(EFFECTIVE_AFTER_MS);
  if (answer.kind === 'done')
    await player.client.call({ action: 'try-suspended', target: 'GET /v1/sessions?limit=1' });
  await unsuspend(player);
}

export async function unsuspend(player: Player): Promise<void> {
  for (let tries = 0; tries < 10; tries += 1) {
    const { answer } = await byStaff(player, 'unsuspend');
    if (answer.kind !== 'unknown') return;
  }
}

export const staffActions = {
  'suspend for a while': suspendForAWhile,
} as const satisfies Readonly<Record<string, Action>>;
