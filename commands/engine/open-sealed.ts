import { AccountErased, type Vault } from '../../infra/vault/index.ts';

/** Opens a sealed text; null once its owner's data key is destroyed. */
export async function openSealed(
  vault: Pick<Vault, 'open'>,
  owner: string,
  field: string,
  sealed: string,
): Promise<string | null> {
  const result = await vault.open(owner, field, sealed);
  return 'text' in result ? result.text : null;
}

/** The same, but rejects with `AccountErased` instead of returning null. */
export async function openSealedOrThrow(...args: Parameters<typeof openSealed>): Promise<string> {
  const text = await openSealed(...args);
  if (text === null) throw new AccountErased(args[1]);
  return text;
}
