import { hash, verify } from '@node-rs/argon2';
import { invalid } from '../../contracts/field-errors.ts';
import { refuse } from '../../contracts/problems.ts';
import { maxPasswordBytes, minPasswordLength } from '../../contracts/resources/login.ts';
import { Semaphore } from '../platform/semaphore.ts';
import { commonPasswords } from './common-passwords.ts';

export interface Passwords {
  /** Throws `validation-failed` for a password that is too short, too long, or among the commonest. */
  assertAcceptable(password: string): Promise<void>;
  /** A self-describing argon2id hash. Throws `rate-limited` if the queue is full. */
  hash(password: string): Promise<string>;
  /** Without a hash it does the same work, and returns false. Throws `rate-limited` if the queue is full. */
  matches(password: string, passwordHash: string | null): Promise<boolean>;
}

export interface PasswordsOptions {
  /** Maximum concurrent hashes, each on its own thread. */
  readonly concurrency?: number;
  /** Maximum queue; further callers are refused. */
  readonly queue?: number;
}

/** Parameters of argon2id, the package's default, from OWASP's Password Storage Cheat Sheet: 19 MiB, two passes, one thread. */
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
    throw wrong('common', 'must not be one of the most common passwords');
}

/** Runs `concurrency` tasks; `queue` more wait, FIFO. */
function concurrencyLimiter(concurrency: number, queue: number) {
  const permits = new Semaphore(concurrency);
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if ((permits.queue ?? -1) >= queue)
      throw refuse('rate-limited', 'Too many people are signing in right now. Try again soon.', {
        retry_after_seconds: 1,
      });
    return permits.hold(work);
  };
}
