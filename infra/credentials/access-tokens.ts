import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import { parseId, type AccountId, type WebSessionId } from '../../contracts/ids.ts';
import { Cache } from '../platform/cache.ts';
import type { Clock } from '../platform/clock.ts';
import type { SigningKeys } from '../vault/index.ts';

const algorithm = 'EdDSA';
const issuer = 'service';

/** What a token is for; one made for one purpose is no token for another. */
type Purpose = 'access' | 'second_factor';

export interface AccessClaims {
  readonly webSessionId: WebSessionId;
  readonly accountId: AccountId;
}

/** The claims of a proof of the first factor. */
export interface FirstFactorClaims {
  readonly accountId: AccountId;
  /** Of the account's sign-ins at that moment: a higher one has made it void. */
  readonly epoch: number;
}

export type TokenReading<Claims> = Claims | 'expired' | 'malformed';

interface KeyPair {
  readonly sign: KeyObject;
  readonly verify: KeyObject;
}

interface Options {
  readonly keys: Pick<SigningKeys, 'findOrCreate' | 'all'>;
  readonly clock: Clock;
  /** Of an access token, milliseconds. */
  readonly accessMs: number;
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number;
}

/** How long the keys that were read are used before it is asked whether there is a newer one, ms. */
const keysAgeMs = 60_000;
/** Minimum interval between look-ups of unknown key ids, in ms. */
const unknownKeyPauseMs = 1_000;
/** How long a password that was right waits for its second factor, seconds. */
const secondFactorSeconds = 300;

/** What a key is made of. */
export const newPrivateKey = (): Buffer =>
  generateKeyPairSync('ed25519').privateKey.export({ format: 'der', type: 'pkcs8' });

/**
 * How long after a newer one is there a key signed the last token that is still good, ms: a process may go on signing with it
 * while it does not know of the newer one.
 *
 * @param accessMs of an access token
 */
export const signedUntilMs = (accessMs: number): number =>
  Math.max(accessMs, secondFactorSeconds * 1000) + 2 * keysAgeMs;

/**
 * Signs and reads the short-lived tokens of people who signed in. A token is checked by its signature alone, which costs a
 * third of a millisecond once: what was read from a text is cached until it expires.
 */
export function createAccessTokens({ keys, clock, accessMs, now }: Options) {
  const ring = keyRing(keys, signedUntilMs(accessMs), now);
  const read = new Cache<string, ReadToken>();

  const { sign, verified } = signing(ring, clock);
  return {
    expiresInSeconds: Math.floor(accessMs / 1000),
    access: ({ webSessionId, accountId }: AccessClaims): Promise<string> =>
      sign('access', accountId, Math.floor(accessMs / 1000), { sid: webSessionId }),

    async readAccess(text: string): Promise<TokenReading<AccessClaims>> {
      const known = read.get(text);
      if (known !== undefined && ring.has(known.keyId))
        return known.expiresAt > clock.now().getTime() ? known.claims : 'expired';
      const found = await verified('access', text);
      if (typeof found === 'string') return found;
      const { payload, keyId } = found;
      const accountId = parseId('account', payload.sub ?? '');
      const webSessionId = parseId('webSession', String(payload.sid));
      if (accountId === undefined || webSessionId === undefined) return 'malformed';
      const claims = { accountId, webSessionId };
      read.set(text, { claims, keyId, expiresAt: (payload.exp ?? 0) * 1000 });
      return claims;
    },

    /** For a caller with the right password whose second factor is still missing. */
    secondFactor: ({ accountId, epoch }: FirstFactorClaims): Promise<string> =>
      sign('second_factor', accountId, secondFactorSeconds, { epoch }),
    async readSecondFactor(text: string): Promise<TokenReading<FirstFactorClaims>> {
      const found = await verified('second_factor', text);
      if (typeof found === 'string') return found;
      const { sub = '', epoch } = found.payload;
      const accountId = parseId('account', sub);
      return accountId === undefined || typeof epoch !== 'number' ? 'malformed' : { accountId, epoch };
    },
  };
}

interface ReadToken {
  readonly claims: AccessClaims;
  /** Of the key that signed it. */
  readonly keyId: string | undefined;
  readonly expiresAt: number;
}

export type AccessTokens = ReturnType<typeof createAccessTokens>;

function signing(ring: ReturnType<typeof keyRing>, clock: Clock) {
  return {
    async sign(purpose: Purpose, subject: string, seconds: number, claims = {}): Promise<string> {
      const { id, pair } = await ring.newest();
      const now = Math.floor(clock.now().getTime() / 1000);
      return new SignJWT(claims)
        .setProtectedHeader({ alg: algorithm, kid: id, typ: 'JWT' })
        .setIssuer(issuer)
        .setAudience(purpose)
        .setSubject(subject)
        .setIssuedAt(now)
        .setExpirationTime(now + seconds)
        .sign(pair.sign);
    },
    /** The claims of a token for that purpose. */
    async verified(purpose: Purpose, text: string) {
      try {
        const { payload, protectedHeader } = await jwtVerify(text, async ({ kid }) => ring.verifying(kid), {
          ...{ issuer, audience: purpose, algorithms: [algorithm] },
          currentDate: clock.now(),
          requiredClaims: ['sub', 'exp'],
        });
        return { payload, keyId: protectedHeader.kid };
      } catch (error) {
        if (error instanceof errors.JWTExpired) return 'expired';
        if (error instanceof errors.JOSEError) return 'malformed';
        throw error;
      }
    },
  };
}

interface KnownKey {
  readonly id: string;
  readonly pair: KeyPair;
  readonly supersededMs: number | null;
}

/**
 * The keys as they were last read. A key that is not known is looked for, at most once a second. A read that failed counts as
 * none: what it would have found is not known to be missing. One that is `untilMs` older than the next is good no more.
 */
function keyRing(keys: Options['keys'], untilMs: number, now = () => performance.now()) {
  let known: readonly KnownKey[] = [];
  let readAt = -Infinity;
  let reading: Promise<void> | undefined;
  const ageMs = () => now() - readAt;
  const read = async (): Promise<void> => {
    const startedAt = now();
    known = (await keys.findOrCreate(newPrivateKey)).map(({ secret, ...key }) => ({
      ...key,
      pair: pairOf(secret),
    }));
    readAt = startedAt;
  };
  /** Single flight: concurrent callers share one read. */
  const refresh = (): Promise<void> => (reading ??= read().finally(() => (reading = undefined)));
  /** Keys that were read long ago are read again meanwhile. While they can't be, those that are known stay good. */
  const refreshOld = (): void => {
    if (ageMs() >= keysAgeMs) refresh().catch(() => undefined);
  };
  const find = (id: string | undefined): KnownKey | undefined =>
    known.find((each) => each.id === id && (each.supersededMs ?? -Infinity) + ageMs() < untilMs);
  return {
    async newest(): Promise<KnownKey> {
      if (reading !== undefined || ageMs() >= keysAgeMs) await refresh();
      const newest = known.at(-1);
      if (newest === undefined) throw new Error('There is no key to sign with.');
      return newest;
    },
    /** Whether what it signed is good. */
    has(id: string | undefined): boolean {
      refreshOld();
      return find(id) !== undefined;
    },
    async verifying(id: string | undefined): Promise<KeyObject> {
      const isDue = reading !== undefined || ageMs() >= unknownKeyPauseMs;
      if (find(id) === undefined && isDue) await refresh();
      else refreshOld();
      const found = find(id);
      if (found === undefined) throw new errors.JWKSNoMatchingKey();
      return found.pair.verify;
    },
  };
}

function pairOf(secret: Buffer): KeyPair {
  const sign = createPrivateKey({ key: secret, format: 'der', type: 'pkcs8' });
  return { sign, verify: createPublicKey(sign) };
}
