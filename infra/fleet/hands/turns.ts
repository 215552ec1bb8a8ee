import type { SessionId } from '../../../contracts/ids.ts';

/** How a person lets go of a browser. Resolves when nothing that was done is on its way any more. */
type LetGo = () => Promise<void>;

/**
 * Operations and people take turns at a browser: as long as an operation is at work no touch reaches the browser, and before one begins
 * fingers are lifted and keys let go.
 */
export class Turns {
  private readonly operating = new Map<SessionId, number>();
  private readonly people = new Map<SessionId, LetGo>();

  isOperating(session: SessionId): boolean {
    return this.operating.has(session);
  }

  /** Asks the person to let go before each operation, until what it gives is called. */
  attend(session: SessionId, letGo: LetGo): () => void {
    this.people.set(session, letGo);
    return () => {
      if (this.people.get(session) === letGo) this.people.delete(session);
    };
  }

  async operate<Done>(session: SessionId, work: () => Promise<Done>): Promise<Done> {
    this.operating.set(session, (this.operating.get(session) ?? 0) + 1);
    try {
      // A browser that does not answer here does not answer the operation either.
      await this.people
        .get(session)?.()
        .catch(() => undefined);
      return await work();
    } finally {
      const left = (this.operating.get(session) ?? 1) - 1;
      if (left > 0) this.operating.set(session, left);
      else this.operating.delete(session);
    }
  }
}
