import type { Caller } from '../../commands/engine/context.ts';
import type { SecondFactorCommands } from '../../commands/second-factor/index.ts';
import type { Confirmation } from '../../infra/http/index.ts';
import type { Clock } from '../../infra/platform/clock.ts';

/** The caller's second factor, on the account of the credential. */
export const confirmationBy =
  ({ isEnrolled }: Pick<SecondFactorCommands, 'isEnrolled'>, clock: Clock) =>
  async ({ actorId, kind, freshUntil }: Caller): Promise<Confirmation> => {
    if (freshUntil !== null && Date.parse(freshUntil) > clock.now().getTime()) return 'fresh';
    if (!(await isEnrolled(actorId))) return 'not_needed';
    return kind === 'web_session' ? 'stale' : 'impossible';
  };
