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

/** What somebody has shown who gave the right password. */
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
}

/** How long the newest key is signed with before it is asked whether there is a newer one, ms. */
const keysAgeMs = 60_000;
/** The least time between two looks for a key that a token names and nobody knows, ms. */
const unknownKeyPauseMs = 1_000;
/** How long a password that was right waits for its second factor, seconds. */
const secondFactorSeconds = 300;

/** Newest last. */
const newPrivateKey = (): Buffer =>
  generateKeyPairSync('ed25519').privateKey.export({ format: 'der', type: 'pkcs8' });

/**
 * Signs and reads the short-lived tokens of people who signed in. A token is checked by its signature alone, which costs a
 * third of a millisecond once: what was read from a text is cached until it expires.
 */
export function createAccessTokens({ keys, clock, accessMs }: Options) {
  const ring = keyRing(keys);
  const read = new Cache<string, { readonly claims: AccessClaims; readonly expiresAt: number }>({
    maxEntries: 10_000,
  });

  const { sign, verified } = signing(ring, clock);
  return {
    expiresInSeconds: Math.floor(accessMs / 1000),
    access: ({ webSessionId, accountId }: AccessClaims): Promise<string> =>
      sign('access', accountId, Math.floor(accessMs / 1000), { sid: webSessionId }),

    async readAccess(text: string): Promise<TokenReading<AccessClaims>> {
      const known = read.get(text);
      if (known !== undefined) return known.expiresAt > clock.now().getTime() ? known.claims : 'expired';
      const payload = await verified('access', text);
      if (typeof payload === 'string') return payload;
      const accountId = parseId('account', payload.sub ?? '');
      const webSessionId = parseId('webSession', String(payload.sid));
      if (accountId === undefined || webSessionId === undefined) return 'malformed';
      const claims = { accountId, webSessionId };
      read.set(text, { claims, expiresAt: (payload.exp ?? 0) * 1000 });
      return claims;
    },

    /** For whoever gave the right password and has a second factor still to give. */
    secondFactor: ({ accountId, epoch }: FirstFactorClaims): Promise<string> =>
      sign('second_factor', accountId, secondFactorSeconds, { epoch }),
    async readSecondFactor(text: string): Promise<TokenReading<FirstFactorClaims>> {
      const payload = await verified('second_factor', text);
      if (typeof payload === 'string') return payload;
      const { sub = '', epoch } = payload;
      const accountId = parseId('account', sub);
      return accountId === undefined || typeof epoch !== 'number' ? 'malformed' : { accountId, epoch };
    },
  };
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
        const { payload } = await jwtVerify(text, async ({ kid }) => ring.verifying(kid), {
          ...{ issuer, audience: purpose, algorithms: [algorithm] },
          currentDate: clock.now(),
          requiredClaims: ['sub', 'exp'],
        });
        return payload;
      } catch (error) {
        if (error instanceof errors.JWTExpired) return 'expired';
        if (error instanceof errors.JOSEError) return 'malformed';
        throw error;
      }
    },
  };
}

/**
 * The keys as they were last read. A key that is not known is looked for, at most once a second. A read that failed counts as
 * none: what it would have found is not known to be missing.
 */
function keyRing(keys: Options['keys']) {
  let known: readonly { readonly id: string; readonly pair: KeyPair }[] = [];
  let readAt = -Infinity;
  let reading: Promise<void> | undefined;
  const read = async (): Promise<void> => {
    const startedAt = performance.now();
    known = (await keys.findOrCreate(newPrivateKey)).map(({ id, secret }) => ({ id, pair: pairOf(secret) }));
    readAt = startedAt;
  };
  /** Those who ask at once share one read: none goes on without what the first is still waiting for. */
  const refresh = (): Promise<void> => (reading ??= read().finally(() => (reading = undefined)));
  return {
    async newest() {
      if (reading !== undefined || performance.now() - readAt >= keysAgeMs) await refresh();
      const newest = known.at(-1);
      if (newest === undefined) throw new Error('There is no key to sign with.');
      return newest;
    },
    async verifying(id: string | undefined): Promise<KeyObject> {
      const find = () => known.find((each) => each.id === id)?.pair.verify;
      const isDue = () => reading !== undefined || performance.now() - readAt >= unknownKeyPauseMs;
      if (find() === undefined && isDue()) await refresh();
      const found = find();
      if (found === undefined) throw new errors.JWKSNoMatchingKey();
      return found;
    },
  };
}

function pairOf(secret: Buffer): KeyPair {
  const sign = createPrivateKey({ key: secret, format: 'der', type: 'pkcs8' });
  return { sign, verify: createPublicKey(sign) };
}
