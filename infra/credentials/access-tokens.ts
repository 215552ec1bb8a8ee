import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import { parseId, type AccountId, type WebSessionId } from '../../contracts/ids.ts';
import { Cache } from '../platform/cache.ts';
import type { Clock } from '../platform/clock.ts';
import type { SigningKeys } from '../vault/index.ts';

const algorithm = 'EdDSA';
const issuer = 'service';

/** The purpose of a token; it is invalid for any other. */
type Purpose = 'access' | 'second_factor';

export interface AccessClaims {
  readonly webSessionId: WebSessionId;
  readonly accountId: AccountId;
}

/** The claims of a proof of the first factor. */
export interface FirstFactorClaims {
  readonly accountId: AccountId;
  /** The account's login epoch at that time: a higher one voids it. */
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
  /** Lifetime of an access token, in milliseconds. */
  readonly accessMs: number;
  /** A monotonic clock, in milliseconds. */
  readonly now?: () => number;
}

/** Interval of the check for newer keys, in ms. */
const keysAgeMs = 60_000;
/** Minimum interval between look-ups of unknown key ids, in ms. */
const unknownKeyPauseMs = 1_000;
/** Time limit for the second factor after the password, in seconds. */
const secondFactorSeconds = 300;

/** Creates a key. */
export const newPrivateKey = (): Buffer =>
  generateKeyPairSync('ed25519').privateKey.export({ format: 'der', type: 'pkcs8' });

/**
 * How long after the next key's creation a key may have signed the last token that is still valid, in ms: a process may keep
 * signing with it until it knows the newer one.
 *
 * @param accessMs lifetime of an access token
 */
export const signedUntilMs = (accessMs: number): number =>
  Math.max(accessMs, secondFactorSeconds * 1000) + 2 * keysAgeMs;

/**
 * Signs and verifies the short-lived tokens of signed-in people. A token is verified by its signature alone, which takes a third
 * of a millisecond once: the result is cached until the token expires.
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

    /** Issues the token of a caller with the right password whose second factor is still missing. */
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
  /** Id of the signing key. */
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
    /** The verified claims of a token with that purpose. */
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
 * A cache of the signing keys. Unknown keys are looked up at most once a second. A failed read does not count as a look-up: the
 * key may exist. A key is invalid `untilMs` after the next one's creation.
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
  /** Refreshes old keys in the background. If that fails, the known ones stay valid. */
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
    /** Whether signatures of this key are valid. */
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
