import { invitedEmail } from '../../contracts/events/team-member.ts';
import type { AccountId } from '../../contracts/ids.ts';
import type { Vault } from '../../infra/vault/index.ts';
import { openWithOwnKey } from '../../infra/vault/own-key.ts';

/** Replacement for an address whose key was destroyed. */
const erased = 'erased';

/** Opens an address sealed with the account's data key. */
export async function openedEmail(
  vault: Pick<Vault, 'open'>,
  accountId: AccountId,
  field: string,
  sealed: string,
): Promise<string> {
  const opened = await vault.open(accountId, field, sealed);
  return 'text' in opened ? opened.text : erased;
}

/** Opens the address of an owner's invitation. */
export async function openedInvitee(
  vault: Pick<Vault, 'open'>,
  owner: AccountId,
  sealed: string,
): Promise<string> {
  const text = await openedEmail(vault, owner, invitedEmail, sealed);
  return (await openWithOwnKey(vault, invitedEmail, text)) ?? erased;
}
