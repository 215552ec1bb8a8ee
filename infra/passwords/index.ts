import { hash, verify } from '@node-rs/argon2';
import { invalid } from '../../contracts/field-errors.ts';
import { refuse } from '../../contracts/problems.ts';
import { maxPasswordBytes, minPasswordLength } from '../../contracts/resources/login.ts';
import { Semaphore } from '../platform/semaphore.ts';
import { commonPasswords } from './common-passwords.ts';

export interface Passwords {
  /** Refuses one that is too short, too long, or among the commonest: `validation-failed`. */
  assertAcceptable(password: string): Promise<void>;
  /** A self-describing argon2id hash. Refuses `rate-limited` when too many wait already. */
  hash(password: string): Promise<string>;
  /** Without a hash it does the same work, and the answer is no. Refuses `rate-limited` when too many wait already. */
  matches(password: string, passwordHash: string | null): Promise<boolean>;
}

export interface PasswordsOptions {
  /** Hashes computed at once, each on a thread of its own. */
  readonly concurrency?: number;
  /** Callers that wait for one; the next is refused. */
  readonly queue?: number;
}

/** Of argon2id, the package's default, as OWASP's Password Storage Cheat Sheet names them: 19 MiB, two passes, one thread. */
export const argon2id = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Keyboards differ in how they compose the same letter (NIST SP 800-63B, 3.1.1.2). */
const normalised = (password: string): string => password.normalize('NFKC');

export function createPasswords({ concurrency = 2, queue = 64 }: PasswordsOptions = {}): Passwords {
  const limited = concurrencyLimiter(concurrency, queue);
  let decoy: Promise<string> | undefined;
  return {
    assertAcceptable,
    hash: (password) => limited(() => hash(normalised(password), argon2id)),
    async matches(password, passwordHash) {
      const stored = passwordHash ?? (await (decoy ??= hash('no password has this hash', argon2id)));
      const isMatch = await limited(() => verify(stored, normalised(password)));
      return isMatch && passwordHash !== null;
    },
  };
}

async function assertAcceptable(password: string): Promise<void> {
  const wrong = (code: string, message: string) => invalid({ path: '/body/password', code, message });
  if (Buffer.byteLength(password) > maxPasswordBytes)
    throw wrong('maxBytes', `must not be longer than ${maxPasswordBytes} bytes`);
  if (Array.from(password).length < minPasswordLength)
    throw wrong('minLength', `must have at least ${minPasswordLength} characters`);
  if ((await commonPasswords()).has(normalised(password).toLowerCase()))
    throw wrong('common', 'must not be one of the commonest passwords');
}

/** Runs `concurrency` at once; `queue` more wait, first come, first served. */
function concurrencyLimiter(concurrency: number, queue: number) {
  const permits = new Semaphore(concurrency);
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if ((permits.queue ?? -1) >= queue)
      throw refuse('rate-limited', 'Too many people are signing in at this moment.', {
        retry_after_seconds: 1,
      });
    await permits.acquire();
    try {
      return await work();
    } finally {
      permits.release();
    }
  };
}
