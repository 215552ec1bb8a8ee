import type { Exchange } from '../history.ts';
import type { Player } from '../workload/player.ts';
import type { Evidence } from './types.ts';

/** How many of a program's newest calls of unknown outcome are looked up. */
const most = 50;

/** For calls of unknown outcome without a key: queries the events of their request. */
export async function queryEffects(
  history: readonly Exchange[],
  players: readonly Player[],
): Promise<Evidence['queriedEffects']> {
  const asked = players.map(async ({ client }) => {
    const found: Evidence['queriedEffects'][number][] = [];
    const own = history.filter((exchange) => exchange.actor === client.name && isQueried(exchange));
    for (const call of own.slice(-most)) {
      const reply = await client.call({ action: 'find-out', target: `GET /v1/requests/${call.id}` });
      found.push({ call, reply });
    }
    return found;
  });
  return (await Promise.all(asked)).flat();
}

/** Only calls on the program's own account: those of people and members are not made with its key. */
export const isQueried = ({ answer, target, session, on }: Exchange): boolean =>
  answer.kind === 'unknown' &&
  answer.isUnchanged === undefined &&
  answer.openKey === undefined &&
  session === undefined &&
  on === undefined &&
  !target.includes(' /v1/auth/');
