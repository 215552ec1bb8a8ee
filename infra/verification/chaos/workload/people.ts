import { randomUUID } from 'node:crypto';
import { answered, type Exchange } from '../history.ts';
import { letterOf, type Letter } from '../letters.ts';
import type { Random } from '../random.ts';
import type { Person, Player } from './player.ts';

/** How many recent people a player continues with. */
const KEPT = 5;

export const plantPassword = (player: Player): string => {
  const text = `canary-${randomUUID()}`;
  player.canaries.push({ name: 'password of a person', text });
  return text;
};

export function newPerson(player: Player): Person {
  const email = `canary-${randomUUID()}@example.org`;
  player.canaries.push({ name: 'address of a person', text: email });
  const person: Person = {
    email,
    password: undefined,
    signedUp: false,
    verified: false,
    sessions: [],
    ended: [],
    resets: new Map(),
    spent: new Set(),
  };
  player.people.push(person);
  return person;
}

/** Acts on one of the player's people that match; does nothing if there is none. */
export const withPerson =
  (
    fits: (person: Person) => boolean,
    act: (player: Player, person: Person, random: Random) => Promise<unknown>,
  ) =>
  async (player: Player, random: Random): Promise<void> => {
    const fitting = player.people.filter(fits).slice(-KEPT);
    if (fitting.length > 0) await act(player, random.pick(fitting), random);
  };

/** A request without a credential, or with one in the body. */
export const post = (player: Player, action: string, path: string, body: object): Promise<Exchange> =>
  player.client.call({ action, target: `POST /v1/auth/${path}`, body, token: null });

/** Mails to an address that contain a link, oldest first, without duplicates. */
export function lettersTo(
  { world, canaries }: Player,
  email: string,
): readonly (Letter & { token: string })[] {
  const letters = world.mailbox.received.filter(({ to }) => to.includes(email)).map(letterOf);
  const linked = new Map<string, Letter & { token: string }>();
  for (const { token, ...letter } of letters) {
    if (token === undefined || linked.has(letter.mailId)) continue;
    linked.set(letter.mailId, { ...letter, token });
    if (!canaries.some(({ text }) => text === token)) canaries.push({ name: 'token of a link', text: token });
  }
  return [...linked.values()];
}

/** Keeps the tokens from the answer to a sign-in. */
export function signedIn(player: Player, person: Person, exchange: Exchange): void {
  const [access, refresh] = [answered(exchange, 'access_token'), answered(exchange, 'refresh_token')];
  if (exchange.answer.kind !== 'done' || typeof access !== 'string' || typeof refresh !== 'string') return;
  person.sessions.push({ opened: exchange.id, access, refresh });
  plantTokens(player, access, refresh);
}

export const plantTokens = (player: Player, ...tokens: readonly string[]): void => {
  player.canaries.push(...tokens.map((text) => ({ name: 'token of a session', text })));
};
