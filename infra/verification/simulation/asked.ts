import type { AccountId, SessionId } from '../../../contracts/ids.ts';
import type { ProblemSlug } from '../../../contracts/problems.ts';

/** What a client was told. `unknown`: nothing, or that the store could not be reached. */
export type Reply =
  | { readonly kind: 'done'; readonly value: string; readonly replayed?: boolean }
  | { readonly kind: 'refused'; readonly slug: ProblemSlug }
  | { readonly kind: 'unknown' };

export interface Asked {
  readonly what: 'create' | 'operate' | 'destroy';
  readonly account: AccountId;
  readonly commandId: string;
  /** The session it was about; of a keyed create, the one of its answer. */
  readonly session: SessionId | undefined;
  readonly key: string | undefined;
  /** How long the log was when the answer came. */
  readonly logLength: number;
  readonly reply: Reply;
}
