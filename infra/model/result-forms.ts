import type { AccountId } from '../../contracts/ids.ts';
import { refuse } from '../../contracts/problems.ts';
import { Cache } from '../platform/cache.ts';
import { readResultForm, textOf, type ResultForm } from './result-form.ts';

/** Milliseconds after which a used millisecond is available to its account again. */
const restFor = 30;
/** Two seconds of use: no other form is read for an account that has to wait for longer. */
const longestRestMs = 60_000;

const keptForms = 100;

/**
 * The forms of results in one process, whose event loop reading a form and checking a result block. So a form is cached, and
 * the use by one account is limited.
 */
export class ResultForms {
  readonly #forms = new Cache<string, ResultForm>({ maxEntries: keptForms });
  /** When everything that an account has used is available again, in milliseconds. */
  readonly #restedAt = new Cache<AccountId, number>();
  readonly #now: () => number;

  /** @param now a monotonic clock, in milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /**
   * The form of a client's schema. Refuses `rate-limited` if the account's forms have taken too much time lately.
   *
   * @throws SchemaRefused
   */
  read(accountId: AccountId, schema: ResultForm['schema']): ResultForm {
    const text = textOf(schema);
    const form = this.#forms.get(text) ?? this.#readNew(accountId, text, schema);
    return { ...form, faultOf: (result) => this.#use(accountId, () => form.faultOf(result)) };
  }

  #readNew(accountId: AccountId, text: string, schema: ResultForm['schema']): ResultForm {
    const waitMs = (this.#restedAt.get(accountId) ?? 0) - this.#now() - longestRestMs;
    if (waitMs > 0) throw refuse('rate-limited', tooMuch, { retry_after_seconds: Math.ceil(waitMs / 1000) });
    const form = this.#use(accountId, () => readResultForm(schema));
    this.#forms.set(text, form);
    return form;
  }

  /** Counts the time that others wait for the work, however it ends. */
  #use<T>(accountId: AccountId, work: () => T): T {
    const from = this.#now();
    try {
      return work();
    } finally {
      const rested = Math.max(from, this.#restedAt.get(accountId) ?? 0);
      this.#restedAt.set(accountId, rested + restFor * (this.#now() - from));
    }
  }
}

const tooMuch =
  'Reading result schemas of this account has taken too much time. Wait, or send a schema that was read before.';
