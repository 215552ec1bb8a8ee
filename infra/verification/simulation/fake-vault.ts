import type { Vault } from '../../vault/index.ts';

/** Seals in plain sight, and opens only what was sealed for the same account and field. */
export const vault: Pick<Vault, 'seal' | 'open'> = {
  seal: async (account, field, text) => JSON.stringify([account, field, text]),
  open: async (account, field, sealed) => {
    const [sealedFor, sealedAs, text] = JSON.parse(sealed) as [string, string, string];
    if (sealedFor !== account || sealedAs !== field) throw new Error(`That is not ${field} of ${account}.`);
    return { text };
  },
};
