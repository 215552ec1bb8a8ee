import type { SessionId } from '../../../contracts/ids.ts';
import type { MetElement } from '../../../contracts/resources/target.ts';

/** Releases a person's fingers and keys. Resolves when no input is pending. */
type LetGo = () => Promise<void>;

/** Undefined: the operation has ended without a known element. */
type Meeting = (element: MetElement | undefined) => void;

/**
 * Operations and people take turns with a browser: during an operation no touch reaches it, and before one begins fingers are lifted and
 * keys released.
 */
export class Turns {
  readonly #operating = new Map<SessionId, number>();
  readonly #people = new Map<SessionId, LetGo>();
  readonly #curious = new Map<SessionId, Meeting>();

  isOperating(session: SessionId): boolean {
    return this.#operating.has(session);
  }

  /** Calls `letGo` before each operation, until the returned function is called. */
  attend(session: SessionId, letGo: LetGo): () => void {
    this.#people.set(session, letGo);
    return () => {
      if (this.#people.get(session) === letGo) this.#people.delete(session);
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
        .get(session)?.()
        .catch(() => undefined);
      return await work();
    } finally {
      const left = (this.#operating.get(session) ?? 1) - 1;
      if (left > 0) this.#operating.set(session, left);
      else this.#operating.delete(session);
    }
  }
}
