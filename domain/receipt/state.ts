interface Admission {
  /** SHA-256 of the canonical body, hex. */
  readonly bodyHash: string;
  /** The resource the first request set out to make. */
  readonly resourceId: string;
  readonly admittedAt: string;
  readonly expiresAt: string;
}

/** The answer as it was given, byte for byte. */
export interface StoredAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/** `free`: the key stands for nothing, or no longer does. `admitted`: the outcome is not known yet. */
export type Receipt =
  | { readonly status: 'free' }
  | ({ readonly status: 'admitted' } & Admission)
  | ({ readonly status: 'settled'; readonly answer: StoredAnswer } & Admission);

export const freeReceipt: Receipt = { status: 'free' };

/** Whether the key stands for a request at a moment; it is free again from the instant it expires. */
export const isKept = (
  receipt: Receipt,
  now: string,
): receipt is Extract<Receipt, { status: 'admitted' | 'settled' }> =>
  receipt.status !== 'free' && Date.parse(receipt.expiresAt) > Date.parse(now);
