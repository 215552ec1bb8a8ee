import { v5 as uuidv5 } from 'uuid';
import { invalid } from '../../contracts/field-errors.ts';
import { uuidOf, type AccountId } from '../../contracts/ids.ts';
import { refuse } from '../../contracts/problems.ts';
import { login } from '../../domain/login.ts';
import { after } from '../../domain/kit/time.ts';
import { createAccount, emailHolder, mailboxOf, newAddressOf } from '../account/index.ts';
import { ownedContext, stepContext, type CommandContext } from '../engine/context.ts';
import type { LoginPorts } from './ports.ts';

export interface SignUp {
  readonly email: string;
  readonly password: string;
  /** The accepted revision of the terms. */
  readonly revision: string;
}

/**
 * Creates an account on the free tier, with a password, and mails its address. The account's first event carries the data of its
 * login, so that a crash in between is completed by a process manager.
 */
export async function signUp(ports: LoginPorts, { email, password, revision }: SignUp, by: CommandContext) {
  const address = newAddressOf(email);
  assertTerms(ports, revision);
  await ports.passwords.assertAcceptable(password);
  if ((await emailHolder(ports, address))?.exists) throw refuse('email-already-registered');
  const refusal = await ports.mails.toRecipient(ports.emailUuid(mailboxOf(address)), 'mail:sign-up');
  if (refusal) throw refusal;
  const terms = { passwordHash: await ports.passwords.hash(password), acceptedRevision: revision };
  const created = await createAccount(ports, { email, tier: 'free', signUp: terms }, by);
  const { accountId, at, sealedPasswordHash } = created;
  if (sealedPasswordHash === undefined) throw new Error(`${accountId} was made without a password.`);
  const { position } = await beginLogin(ports, { accountId, at, sealedPasswordHash }, by);
  return { accountId, position: position ?? created.position };
}

function assertTerms({ termsRevision }: LoginPorts, revision: string): void {
  if (termsRevision === '' || revision === termsRevision) return;
  const message = `must be ${termsRevision}, the current revision`;
  throw invalid({ path: '/body/legal_revision', code: 'const', message });
}

export interface AccountSignedUpFor {
  readonly accountId: AccountId;
  readonly sealedPasswordHash: string;
  /** When the account was created. */
  readonly at: string;
}

/**
 * Creates the login of a new account. The request, and after a crash a process manager, make the same events with the same ids;
 * idempotent.
 */
export function beginLogin(
  { runner, lifetimesMs }: Pick<LoginPorts, 'runner' | 'lifetimesMs'>,
  signedUp: AccountSignedUpFor,
  by: CommandContext,
) {
  const { accountId, at } = signedUp;
  const uuid = uuidOf(accountId);
  const verification = {
    nonce: uuidv5('verification', uuid),
    expiresAt: after(at, lifetimesMs.verification),
  };
  const context = stepContext({ ...ownedContext(by, accountId), commandId: uuid }, 'sign-up');
  return runner.run(login, uuid, { type: 'SignUp', ...signedUp, verification }, context, { create: true });
}
