import type { CommandContext } from '../../commands/engine/context.ts';
import { invalid } from '../../contracts/field-errors.ts';
import type { AccountId } from '../../contracts/ids.ts';
import type { Position } from '../../infra/event-store/client/types.ts';
import type { Handling, HandlersOf } from '../engine/handling.ts';

export type AcceptTerms = (
  accountId: AccountId,
  revision: string,
  context: CommandContext,
) => Promise<{ readonly acceptedAt: string; readonly position: Position | undefined }>;

/**
 * The route that accepts the terms.
 *
 * @param current their present revision; empty: any is accepted
 */
export const legalHandlers = (
  acceptTerms: AcceptTerms,
  current: string,
  { answering }: Handling,
): HandlersOf<'legal.accept'> => ({
  'legal.accept': answering(async ({ caller: { accountId, context }, body: { revision } }) => {
    if (current !== '' && revision !== current)
      throw invalid({ path: '/body/revision', code: 'const', message: 'must be the current revision' });
    const { acceptedAt, position } = await acceptTerms(accountId, revision, context);
    return { body: { accepted_revision: revision, accepted_at: acceptedAt }, position };
  }),
});
