import type { Exchange } from '../history.ts';
import type { Random } from '../random.ts';
import { until } from '../../testbed/index.ts';
import { useSession } from './people-actions.ts';
import { lettersTo, plantPassword, post, signedIn, withPerson } from './people.ts';
import type { Person } from './player.ts';
import type { Action, Player } from './player.ts';

const requests = ['verify-email/resend', 'magic-link/request', 'password-reset/request'] as const;

type Open = (player: Player, person: Person, token: string, random: Random) => Promise<Exchange>;

async function verify(player: Player, person: Person, token: string): Promise<Exchange> {
  const exchange = await post(player, 'verify-email', 'verify-email', { token });
  if (exchange.answer.kind === 'done') person.verified = true;
  return exchange;
}

/** Opens a magic link. On an unverified account it replaces the password chosen at the sign-up. */
async function useMagicLink(player: Player, person: Person, token: string): Promise<Exchange> {
  if (!person.verified) Object.assign(person, { password: undefined, sessions: [] });
  const exchange = await post(player, 'use-magic-link', 'magic-link/consume', { token });
  if (exchange.answer.kind === 'done') person.verified = true;
  signedIn(player, person, exchange);
  return exchange;
}

/** Number of concurrent requests of the sessions that the reset ends. */
const MEANWHILE = 3;

/** Every use of the link sets the same password, so it does not matter which of them was effective. */
async function reset(player: Player, person: Person, token: string, random: Random): Promise<Exchange> {
  const password = person.resets.get(token) ?? plantPassword(player);
  person.resets.set(token, password);
  const open = person.sessions;
  person.sessions = [];
  person.password = undefined;
  const meanwhile = open
    .slice(-MEANWHILE)
    .map((session, index) => useSession(player, session, random.of(`use ${index}`), 'use-meanwhile'));
  const exchange = await post(player, 'reset-password', 'password-reset/confirm', { token, password });
  if (exchange.answer.kind === 'done') {
    Object.assign(person, { password, verified: true });
    person.ended.push(...open);
    await Promise.all(
      open.map((session, index) =>
        useSession(player, session, random.of(`try ${index}`), 'try-ended-session'),
      ),
    );
  }
  await Promise.all(meanwhile);
  return exchange;
}

const confirmMerge: Open = (player, _person, token) =>
  post(player, 'confirm-merge', 'merge/confirm', { token });

const opens: Readonly<Record<string, Open>> = {
  'account-verification': verify,
  'magic-link': useMagicLink,
  'password-reset': reset,
  'sign-in-merge': confirmMerge,
};

/** The last link of its kind, which is the valid one, except one time in five. */
function newestOf<L extends { readonly template: string }>(letters: readonly L[], random: Random): L {
  const any = random.pick(letters);
  if (random.next() < 0.2) return any;
  return letters.findLast(({ template }) => template === any.template) ?? any;
}

/** Uses the link once, or by two programs at once; again if the outcome is unknown. */
async function openLink(player: Player, person: Person, random: Random): Promise<void> {
  const unspent = lettersTo(player, person.email).filter(({ token }) => !person.spent.has(token));
  if (unspent.length === 0) return;
  const { template, token } = newestOf(unspent, random);
  const open = opens[template];
  if (open === undefined) return;
  const times = random.next() < 0.4 ? 2 : 1;
  const exchanges = await Promise.all(
    Array.from({ length: times }, (_, index) => open(player, person, token, random.of(`open ${index}`))),
  );
  if (exchanges.some(({ answer }) => answer.kind !== 'unknown')) person.spent.add(token);
}

/** Milliseconds to wait for a mail, whose server may be down. */
const MAIL_MS = 3_000;

/** Requests the mail, waits for it, and uses its link while the sessions it ends are in use. */
async function resetSignedIn(player: Player, person: Person, random: Random): Promise<void> {
  const links = () => lettersTo(player, person.email).filter(({ template }) => template === 'password-reset');
  const before = links().length;
  const asked = await post(player, 'request-link', 'password-reset/request', { email: person.email });
  if (asked.answer.kind !== 'done') return;
  const letter = await until(() => links()[before], { limitMs: MAIL_MS }).catch(() => undefined);
  if (letter === undefined) return;
  const { answer } = await reset(player, person, letter.token, random);
  if (answer.kind !== 'unknown') person.spent.add(letter.token);
}

const openSpent = withPerson(
  ({ spent }) => spent.size > 0,
  async (player, person, random) => {
    const spent = lettersTo(player, person.email).filter(({ token }) => person.spent.has(token));
    if (spent.length === 0) return;
    const { template, token } = random.pick(spent);
    if (template === 'account-verification') await post(player, 'verify-email', 'verify-email', { token });
    if (template === 'magic-link') await post(player, 'use-magic-link', 'magic-link/consume', { token });
  },
);

export const linkActions = {
  'ask for a link': withPerson(
    ({ signedUp }) => signedUp,
    (player, { email }, random) => post(player, 'request-link', random.pick(requests), { email }),
  ),
  'open a link': withPerson(({ signedUp }) => signedUp, openLink),
  'reset the password, signed in': withPerson(({ sessions }) => sessions.length > 0, resetSignedIn),
  'open a link that is spent': openSpent,
} as const satisfies Readonly<Record<string, Action>>;
