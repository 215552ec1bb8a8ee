import type { Vault } from './index.ts';

/** The uuid that owns the inner key, and the text sealed with it. No mail address or other text of ours has this form. */
const form = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}) (sealed1\.\S+)$/;

/**
 * Seals a text with a data key of its own, which `forget` of the uuid destroys. The result is sealed with its owner's key in turn,
 * so that destroying either of the two erases the text. Rejects with `AccountErased` once its own key is destroyed.
 */
export const withOwnKey = async (
  vault: Pick<Vault, 'seal'>,
  uuid: string,
  field: string,
  text: string,
): Promise<string> => `${uuid} ${await vault.seal(uuid, field, text)}`;

/** The text of a result of `withOwnKey`; null once its own key is destroyed. Any other text is returned as it is. */
export async function openWithOwnKey(
  vault: Pick<Vault, 'open'>,
  field: string,
  text: string,
): Promise<string | null> {
  const [, uuid, sealed] = form.exec(text) ?? [];
  if (uuid === undefined || sealed === undefined) return text;
  const opened = await vault.open(uuid, field, sealed);
  return 'text' in opened ? opened.text : null;
}
