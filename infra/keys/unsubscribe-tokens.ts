import { createHmac } from 'node:crypto';
import { parseId, toId, uuidOf, type AccountId } from '../../contracts/ids.ts';
import { refuse } from '../../contracts/problems.ts';
import { sameSecret } from '../platform/presented-secrets.ts';
import type { Peppers } from './peppers.ts';

/** The subject of a token: mails of one kind to one account. */
export interface Unsubscribing<Kind extends string> {
  readonly accountId: AccountId;
  readonly kind: Kind;
}

const macOf = (claim: string, pepper: string): string =>
  createHmac('sha256', pepper).update(`unsubscribe\0${claim}`).digest('base64url');

/**
 * Creates `<uuid of the account>.<kind>.<HMAC of both>`: verified without a look-up, and only usable to opt out. Does not expire,
 * because people open old mails.
 */
export function unsubscribeToken(
  { accountId, kind }: Unsubscribing<string>,
  { newest }: Pick<Peppers, 'newest'>,
): string {
  const claim = `${uuidOf(accountId)}.${kind}`;
  return `${claim}.${macOf(claim, newest)}`;
}

/** Throws `invalid-auth-token` unless the token was made with a pepper in use, for one of these kinds. */
export function readUnsubscribeToken<Kind extends string>(
  token: string | undefined,
  kinds: readonly Kind[],
  { inUse }: Pick<Peppers, 'inUse'>,
): Unsubscribing<Kind> {
  const [uuid = '', name = '', mac = '', ...rest] = (token ?? '').split('.');
  const accountId = parseId('account', toId('account', uuid));
  const kind = kinds.find((each) => each === name);
  const isOurs =
    rest.length === 0 && inUse.some((pepper) => sameSecret(mac, macOf(`${uuid}.${name}`, pepper)));
  if (!isOurs || accountId === undefined || kind === undefined)
    throw refuse('invalid-auth-token', 'This link is not valid.');
  return { accountId, kind };
}
