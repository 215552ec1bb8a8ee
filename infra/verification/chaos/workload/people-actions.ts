import { answered, type Exchange } from '../history.ts';
import type { Random } from '../random.ts';
import { newPerson, plantPassword, plantTokens, post, signedIn, withPerson } from './people.ts';
import type { Action, Person, Player, WebSession } from './player.ts';

const canSignIn = ({ verified, password }: Person): boolean => verified && password !== undefined;
const isSignedIn = ({ sessions }: Person): boolean => sessions.length > 0;

const signUp = (player: Player, email: string, password: string): Promise<Exchange> =>
  post(player, 'sign-up', 'signup', { email, password, legal_revision: '1' });

/** A registered address was registered by this program, because no other one uses it. */
const isRegistered = ({ answer }: Exchange): boolean =>
  answer.kind === 'done' || answer.text?.includes('/email-already-registered"') === true;

async function signUpOnce(player: Player, person: Person): Promise<void> {
  const password = (person.password ??= plantPassword(player));
  person.signedUp = isRegistered(await signUp(player, person.email, password));
}

/** Signs up twice at once, with different passwords, which show whose account it is. */
async function signUpTwice(player: Player): Promise<void> {
  const person = newPerson(player);
  const passwords = [plantPassword(player), plantPassword(player)] as const;
  const [one, other] = await Promise.all([
    signUp(player, person.email, passwords[0]),
    signUp(player, person.email.toUpperCase(), passwords[1]),
  ]);
  // A refused one may have met the other's reservation, which may not result in an account.
  person.signedUp = [one, other].some(({ answer }) => answer.kind === 'done');
  if (one.answer.kind === 'done') person.password = passwords[0];
  if (other.answer.kind === 'done') person.password = passwords[1];
}

export const signIn = async (player: Player, person: Person): Promise<Exchange> => {
  const { email, password } = person;
  const exchange = await post(player, 'sign-in', 'login', { email, password });
  signedIn(player, person, exchange);
  return exchange;
};

/** Reads or writes on its own account. */
export function useSession(
  player: Player,
  { access, opened }: WebSession,
  random: Random,
  action: string,
): Promise<Exchange> {
  const call = { action, token: access, session: opened };
  if (random.next() < 0.5) return player.client.call({ ...call, target: 'GET /v1/sessions?limit=1' });
  const body = { display_name: `chaos ${random.between(1, 1_000_000)}` };
  return player.client.call({ ...call, target: 'PUT /v1/account/me/organization', body });
}

const refresh = (
  player: Player,
  { refresh: refresh_token, opened }: WebSession,
  action: string,
): Promise<Exchange> =>
  player.client.call({
    action,
    target: 'POST /v1/auth/refresh',
    body: { refresh_token },
    token: null,
    session: opened,
  });

/** A session whose refresh got no answer, or several, is dropped: its tokens may be of the previous generation. */
async function refreshOnce(player: Player, person: Person, session: WebSession): Promise<void> {
  const exchange = await refresh(player, session, 'refresh-session');
  const [access, next] = [answered(exchange, 'access_token'), answered(exchange, 'refresh_token')];
  if (exchange.answer.kind !== 'done' || typeof access !== 'string' || typeof next !== 'string')
    return leave(person, session);
  Object.assign(session, { access, refresh: next });
  plantTokens(player, access, next);
}

function leave(person: Person, session: WebSession): void {
  person.sessions = person.sessions.filter((each) => each !== session);
}

async function signOut(player: Player, person: Person, session: WebSession): Promise<void> {
  leave(person, session);
  const { answer } = await player.client.call({
    action: 'sign-out',
    target: 'POST /v1/auth/logout',
    body: { refresh_token: session.refresh },
    token: null,
    session: session.opened,
  });
  if (answer.kind === 'done') person.ended.push(session);
}

const withSession = (
  act: (player: Player, person: Person, session: WebSession, random: Random) => Promise<unknown>,
) =>
  withPerson(isSignedIn, (player, person, random) =>
    act(player, person, random.pick(person.sessions), random),
  );

/** Its access token may have expired if the clock was moved forward; then it is refreshed. */
async function use(player: Player, person: Person, session: WebSession, random: Random): Promise<void> {
  const { answer } = await useSession(player, session, random, 'use-session');
  if (answer.status === 401) await refreshOnce(player, person, session);
}

export const peopleActions = {
  'sign up': async (player) => signUpOnce(player, newPerson(player)),
  'sign up twice at once': signUpTwice,
  'sign up again': withPerson(({ signedUp, password }) => !signedUp && password !== undefined, signUpOnce),
  'sign in': withPerson(canSignIn, signIn),
  'use a web session': withSession(use),
  'refresh a web session': withSession(refreshOnce),
  'refresh a web session twice at once': withSession(async (player, person, session) => {
    leave(person, session);
    await Promise.all([
      refresh(player, session, 'refresh-meanwhile'),
      refresh(player, session, 'refresh-meanwhile'),
    ]);
  }),
  'sign out': withSession(signOut),
  'use a web session that has ended': withPerson(
    ({ ended }) => ended.length > 0,
    (player, { ended }, random) =>
      random.next() < 0.3
        ? refresh(player, random.pick(ended), 'try-ended-session')
        : useSession(player, random.pick(ended), random, 'try-ended-session'),
  ),
} as const satisfies Readonly<Record<string, Action>>;
