import type { ReceiptPorts } from './index.ts';

/** Deterministic digests and seals, without keys. */
export const receiptSeals: Pick<ReceiptPorts, 'vault' | 'keyedDigests'> = {
  vault: {
    sealer: () => Promise.resolve((_field, text) => `sealed ${text}`),
    open: (_owner, _field, sealed) => Promise.resolve({ text: sealed.slice('sealed '.length) }),
  },
  keyedDigests: (text) => [text],
};
