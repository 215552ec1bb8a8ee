import { scopes } from '../../contracts/events/api-key.ts';
import type { FactorUse } from '../../contracts/events/second-factor.ts';
import { uuidOf, type AccountId, type WebSessionId } from '../../contracts/ids.ts';
import { refuse } from '../../contracts/problems.ts';
import { account } from '../../domain/account.ts';
import { epochOf, login } from '../../domain/login.ts';
import { secondFactor, type GivenCode, type SecondFactorCommand } from '../../domain/second-factor.ts';
import type { AccessTokens } from '../../infra/credentials/access-tokens.ts';
import type { Position } from '../../infra/event-store/client/types.ts';
import {
  hashRecoveryCode,
  newRecoveryCodes,
  newTotpSecret,
  totpStep,
  totpUri,
} from '../../infra/keys/one-time-codes.ts';
import { byEach, type Peppers } from '../../infra/keys/index.ts';
import type { Vault } from '../../infra/vault/index.ts';
import { ownAddress } from '../account/index.ts';
import { bindPorts } from '../engine/bind-ports.ts';
import { openSealed } from '../engine/open-sealed.ts';
import { now, ownedContext, type CommandContext } from '../engine/context.ts';
import type { CommandPorts } from '../engine/runner.ts';
import type { Holder, IssuedTokens, WebSessionCommands } from '../web-session/index.ts';

export interface SecondFactorPorts extends CommandPorts {
  readonly vault: Pick<Vault, 'seal' | 'open'>;
  /** Key the hashes of recovery codes. */
  readonly peppers: Pick<Peppers, 'newest' | 'known'>;
  readonly tokens: Pick<AccessTokens, 'secondFactor' | 'readSecondFactor'>;
  readonly webSessions: Pick<WebSessionCommands, 'open' | 'confirm'>;
}

const field = 'one-time code secret';

/** Commands on an account's second factor. */
export const createSecondFactorCommands = (ports: SecondFactorPorts) =>
  bindPorts(ports, { isEnrolled, begin, confirm, disable, stepUp, issueToken, signIn });

export type SecondFactorCommands = ReturnType<typeof createSecondFactorCommands>;

/** Reads the stream each time: an enrolment acknowledged by one process holds for all. */
const isEnrolled = async ({ runner }: SecondFactorPorts, accountId: AccountId): Promise<boolean> =>
  (await runner.load(secondFactor, uuidOf(accountId))).state.status === 'enrolled';

/** Returns the secret, this once. */
async function begin(ports: SecondFactorPorts, accountId: AccountId, context: CommandContext) {
  const secret = newTotpSecret();
  const sealedSecret = await ports.vault.seal(accountId, field, secret);
  const command = { type: 'BeginEnrolment', accountId, sealedSecret, at: now(ports) } as const;
  const { position } = await run(ports, accountId, command, context);
  return { secret, uri: totpUri(secret, (await ownAddress(ports, accountId)) ?? accountId), position };
}

/** Returns the recovery codes, this once. */
async function confirm(
  ports: SecondFactorPorts,
  accountId: AccountId,
  text: string,
  context: CommandContext,
) {
  const codes = newRecoveryCodes();
  const recoveryCodes = codes.map((each) => hashRecoveryCode(accountId, each, ports.peppers.newest));
  const code = await judged(ports, accountId, text);
  const command = { type: 'ConfirmEnrolment', code, recoveryCodes, at: now(ports) } as const;
  return { recoveryCodes: codes, position: await accepted(ports, accountId, command, context) };
}

async function disable(
  ports: SecondFactorPorts,
  accountId: AccountId,
  text: string,
  context: CommandContext,
) {
  const code = await judged(ports, accountId, text);
  return accepted(ports, accountId, { type: 'Disable', code, at: now(ports) }, context);
}

/**
 * For staff, if a person has lost both the device and the recovery codes: until they enrol again, the password or a link suffices
 * to sign in.
 */
export async function removeSecondFactor(
  ports: CommandPorts,
  accountId: AccountId,
  context: CommandContext,
): Promise<Position | undefined> {
  const { state } = await ports.runner.load(account, uuidOf(accountId));
  if (state.status === 'none' || state.status === 'erased') throw refuse('not-found');
  const command = { type: 'Remove', at: now(ports) } as const;
  const of = ownedContext(context, accountId);
  return (await ports.runner.run(secondFactor, uuidOf(accountId), command, of)).position;
}

/** Makes the web session fresh, until the returned time. */
async function stepUp(
  ports: SecondFactorPorts,
  caller: { readonly accountId: AccountId; readonly webSessionId: WebSessionId },
  text: string,
  context: CommandContext,
) {
  await use(ports, caller.accountId, text, 'step_up', context);
  return ports.webSessions.confirm(caller.webSessionId, context);
}

/**
 * A token that proves the first factor, valid for five minutes.
 *
 * @param epoch login epoch when the first factor was checked; ending the sessions voids the token
 */
const issueToken = ({ tokens }: SecondFactorPorts, accountId: AccountId, epoch: number): Promise<string> =>
  tokens.secondFactor({ accountId, epoch });

/** Opens a fresh web session for the token of a first factor and a code of the second. */
async function signIn(
  ports: SecondFactorPorts,
  token: string,
  text: string,
  holder: Holder,
  by: CommandContext,
): Promise<IssuedTokens> {
  const claims = await ports.tokens.readSecondFactor(token);
  if (typeof claims === 'string') throw firstFactorRefused();
  const { accountId, epoch } = claims;
  if (epochOf((await ports.runner.load(login, uuidOf(accountId))).state) > epoch) throw firstFactorRefused();
  const context = ownedContext(by, accountId);
  await use(ports, accountId, text, 'sign_in', context);
  return ports.webSessions.open(
    { accountId, kind: 'web_session', scopes: [...scopes], epoch, confirmed: true },
    holder,
    context,
  );
}

const firstFactorRefused = () => refuse('invalid-auth-token', 'Sign in again, with the first factor.');

const run = (
  { runner }: SecondFactorPorts,
  accountId: AccountId,
  command: SecondFactorCommand,
  context: CommandContext,
) => runner.run(secondFactor, uuidOf(accountId), command, ownedContext(context, accountId));

async function use(
  ports: SecondFactorPorts,
  accountId: AccountId,
  text: string,
  purpose: FactorUse,
  context: CommandContext,
): Promise<void> {
  const code = await judged(ports, accountId, text);
  await accepted(ports, accountId, { type: 'UseCode', code, use: purpose, at: now(ports) }, context);
}

/** Records a refused code, so that refusals can be counted, then throws. */
async function accepted(
  ports: SecondFactorPorts,
  accountId: AccountId,
  command: SecondFactorCommand,
  context: CommandContext,
): Promise<Position | undefined> {
  const { events, position } = await run(ports, accountId, command, context);
  if (events.some(({ type }) => type === 'SecondFactorCodeRefused'))
    throw refuse('invalid-credentials', 'The code is wrong, or was used before.');
  return position;
}

/** Checks a submitted code against the account's secret; undefined if there is none, or its key was destroyed. */
async function judged(
  { runner, vault, clock, peppers }: SecondFactorPorts,
  accountId: AccountId,
  text: string,
): Promise<GivenCode> {
  const { state } = await runner.load(secondFactor, uuidOf(accountId));
  if (state.status === 'none') return { sealedSecret: '', step: null, recoveryCodes: [] };
  const { sealedSecret } = state;
  const secret = await openSealed(vault, accountId, field, sealedSecret);
  if (secret === null) return { sealedSecret, step: null, recoveryCodes: [] };
  return {
    sealedSecret,
    step: totpStep(secret, text, clock.now()),
    recoveryCodes: byEach(peppers, (pepper) => hashRecoveryCode(accountId, text, pepper)),
  };
}
