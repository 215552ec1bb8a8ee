import type { SecondFactorCommands } from '../../commands/second-factor/index.ts';
import { refuse } from '../../contracts/problems.ts';
import { anyoneContext } from '../engine/authentication.ts';
import type { Handling, HandlersOf } from '../engine/handling.ts';
import type { SignInReplies } from '../engine/sign-in-reply.ts';

type Routes = `mfa.${'enroll' | 'confirm' | 'disable' | 'step-up' | 'login'}`;

/** The routes of the second factor. */
export function mfaHandlers(
  secondFactor: SecondFactorCommands,
  { signedIn }: SignInReplies,
  { answering, answeringAnyone }: Handling,
): HandlersOf<Routes> {
  return {
    'mfa.enroll': answering(async ({ caller: { accountId, context } }) => {
      const { secret, uri, position } = await secondFactor.begin(accountId, context);
      return { body: { secret, otpauth_uri: uri }, position };
    }),
    'mfa.confirm': answering(async ({ caller: { accountId, context }, body }) => {
      const { recoveryCodes, position } = await secondFactor.confirm(accountId, body.code, context);
      return { body: { recovery_codes: recoveryCodes }, position };
    }),
    'mfa.disable': answering(async ({ caller: { accountId, context }, body }) => ({
      position: await secondFactor.disable(accountId, body.code, context),
    })),
    'mfa.step-up': answering(async ({ caller, body }) => {
      const { accountId, webSessionId, context } = caller;
      // The table admits only web sessions.
      if (webSessionId === null) throw refuse('forbidden', 'This needs a web session.');
      const stepped = await secondFactor.stepUp({ accountId, webSessionId }, body.code, context);
      return { body: { fresh_until: stepped.freshUntil }, position: stepped.position };
    }),
    'mfa.login': answeringAnyone(async ({ body, request }) => {
      const context = anyoneContext(request);
      return signedIn(await secondFactor.signIn(body.mfa_token, body.code, request, context), true);
    }),
  };
}
