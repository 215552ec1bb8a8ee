import { invitedEmail } from '../../contracts/events/team-member.ts';
import type { AccountId } from '../../contracts/ids.ts';
import { SealUnreadable, type Vault } from '../../infra/vault/index.ts';
import { openWithOwnKey } from '../../infra/vault/own-key.ts';

/** Replacement for an address whose key was destroyed. */
const erased = 'erased';
/** Replacement for an address that does not open, as when the vault lacks its key: the others of its page are shown. */
const unreadable = 'unreadable';

/** The address, or its replacement. Null: its key was destroyed. */
async function shown(opening: Promise<string | null>): Promise<string> {
  try {
    return (await opening) ?? erased;
  } catch (error) {
    if (!(error instanceof SealUnreadable)) throw error;
    return unreadable;
  }
}

/** Opens an address sealed with the account's data key. Returns `erased` or `unreadable` in its place. */
export async function openedEmail(
  vault: Pick<Vault, 'open'>,
  accountId: AccountId,
  field: string,
  sealed: string,
): Promise<string> {
  const opening = vault.open(accountId, field, sealed);
  return shown(opening.then((opened) => ('text' in opened ? opened.text : null)));
}

/** Opens the address of an owner's invitation, like `openedEmail`. */
export async function openedInvitee(
  vault: Pick<Vault, 'open'>,
  owner: AccountId,
  sealed: string,
): Promise<string> {
  const text = await openedEmail(vault, owner, invitedEmail, sealed);
  return shown(openWithOwnKey(vault, invitedEmail, text));
}
