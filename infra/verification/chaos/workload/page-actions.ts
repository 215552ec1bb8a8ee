import type { SessionId } from '../../../../contracts/ids.ts';
import { hostilePages, ordinaryPages } from '../../hostile-pages/catalogue.ts';
import { roundOn, visitOf, type Asks } from '../../hostile-pages/customer.ts';
import type { Random } from '../random.ts';
import type { Action, Player } from './player.ts';
import { sessionActions } from './session-actions.ts';

/** Runs requests one after the other in one of the player's browsers, or in a new one. */
const asksOf =
  (choose: (player: Player, random: Random) => readonly Asks[]): Action =>
  async (player, random) => {
    if (player.sessions.size === 0) await sessionActions.create(player, random.of('create'));
    if (player.sessions.size === 0) return;
    const session = random.pick([...player.sessions]);
    for (const asks of choose(player, random)) await ask(player, session, asks);
  };

async function ask({ client, sessions }: Player, session: SessionId, asks: Asks): Promise<void> {
  const { method, path, body } = asks;
  const { answer } = await client.call({
    action: 'operate',
    target: `${method} /v1/sessions/${session}/${path}`,
    ...(body && { body }),
  });
  if (answer.status === 410 || answer.status === 404) sessions.delete(session);
}

/** Actions with real browsers. */
export const pageActions = {
  'visit a hostile page': asksOf(({ world }, random) => visitOf(random.pick(hostilePages), world.site)),
  'visit an ordinary page': asksOf(({ world }, random) =>
    roundOn(world.site.urlOf(random.pick(ordinaryPages))),
  ),
} as const satisfies Readonly<Record<string, Action>>;
