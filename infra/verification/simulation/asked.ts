import type { AccountId, SessionId } from '../../../contracts/ids.ts';
import type { ProblemSlug } from '../../../contracts/problems.ts';

/** The answer to a client. `unknown`: none, or that the store could not be reached. */
export type Reply =
  | { readonly kind: 'done'; readonly value: string; readonly replayed?: boolean }
  | { readonly kind: 'refused'; readonly slug: ProblemSlug }
  | { readonly kind: 'unknown' };

export interface Asked {
  readonly what: 'create' | 'operate' | 'destroy';
  readonly account: AccountId;
  readonly commandId: string;
  /** Its session; for a create with a key, the one in its answer. */
  readonly session: SessionId | undefined;
  readonly key: string | undefined;
  /** Length of the log when the answer arrived. */
  readonly logLength: number;
  readonly reply: Reply;
}
