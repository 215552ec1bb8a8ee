import type { SessionId } from '../../../contracts/ids.ts';
import type { MetElement } from '../../../contracts/resources/target.ts';

/** The people at a browser, as its operations need them. */
export interface Attendant {
  /** Releases a person's fingers and keys, and answers an open dialog. Resolves when no input is pending. */
  readonly begins: () => Promise<void>;
  /** No operation runs any more. */
  readonly ends: () => void;
}

/** Undefined: the operation has ended without a known element. */
type Meeting = (element: MetElement | undefined) => void;

/**
 * Operations and people take turns with a browser: during an operation no touch reaches it, and before one begins fingers are lifted and
 * keys released, and an open dialog is answered.
 */
export class Turns {
  readonly #operating = new Map<SessionId, number>();
  readonly #people = new Map<SessionId, Attendant>();
  readonly #curious = new Map<SessionId, Meeting>();

  isOperating(session: SessionId): boolean {
    return this.#operating.has(session);
  }

  /** Calls `begins` before each operation and `ends` after it, until the returned function is called. */
  attend(session: SessionId, attendant: Attendant): () => void {
    this.#people.set(session, attendant);
    return () => {
      if (this.#people.get(session) === attendant) this.#people.delete(session);
    };
  }

  /** Calls the listener with the elements of operations, until the returned function is called. */
  watchMeetings(session: SessionId, met: Meeting): () => void {
    this.#curious.set(session, met);
    return () => {
      if (this.#curious.get(session) === met) this.#curious.delete(session);
    };
  }

  met(session: SessionId, element: MetElement | undefined): void {
    this.#curious.get(session)?.(element);
  }

  async operate<Done>(session: SessionId, work: () => Promise<Done>): Promise<Done> {
    this.#operating.set(session, (this.#operating.get(session) ?? 0) + 1);
    try {
      // A browser that does not answer here does not answer the operation either.
      await this.#people
        .get(session)
        ?.begins()
        .catch(() => undefined);
      return await work();
    } finally {
      const left = (this.#operating.get(session) ?? 1) - 1;
      if (left > 0) this.#operating.set(session, left);
      else this.#end(session);
    }
  }

  #end(session: SessionId): void {
    this.#operating.delete(session);
    this.#people.get(session)?.ends();
  }
}
