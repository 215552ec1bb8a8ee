export type ExportVerdict =
  | {
      readonly ok: true;
      readonly count: number;
      /** The hash of the last entry, 64 hex digits; 64 zeros when there is none. */
      readonly head: string;
    }
  | {
      readonly ok: false;
      /** The place in the chain of the first entry that does not hold. */
      readonly sequence: number;
      readonly reason: string;
    };

/** How many leaves a tree has, and its Merkle root, base64. */
export interface Head {
  readonly size: number;
  readonly root: string;
}

/** What a signed note says, as c2sp.org/tlog-checkpoint writes it. */
export interface Checkpoint extends Head {
  readonly origin: string;
}

export interface Inclusion extends Head {
  readonly leaf_hash: string;
  readonly leaf_index: number;
  readonly proof: readonly string[];
}

export interface Consistency {
  readonly from: number;
  readonly to: number;
  readonly from_root: string;
  readonly to_root: string;
  readonly proof: readonly string[];
}

/** The head of an account in the public tree, as `GET /v1/account/audit-log/anchor` answers it. */
export interface Anchor extends Head {
  readonly leaf_index: number;
  readonly leaf: Head & { readonly pseudonym: string };
  readonly salt: string;
  readonly proof: readonly string[];
  /** The public signed note. */
  readonly checkpoint: string;
}

export type AnchorVerdict = { readonly ok: true } | { readonly ok: false; readonly reason: string };

/**
 * Checks the chain of an export of the audit log, and that its first entries have the roots of `heads`. Rejects with a `TypeError`
 * when something in it is no object.
 */
export function verifyExport(
  entries: Iterable<unknown> | AsyncIterable<unknown>,
  heads?: readonly Head[],
): Promise<ExportVerdict>;

/** Throws an `Error` when no key has signed it or a signature does not hold, a `TypeError` when it is no checkpoint. */
export function verifyCheckpoint(note: string, vkeys: readonly string[]): Checkpoint;

/** The text of a note that one of the keys has signed, such as that which introduces a key. Throws as `verifyCheckpoint` does. */
export function verifyNote(note: string, vkeys: readonly string[]): string;

/** Throws a `TypeError` when something is malformed. */
export function verifyInclusion(inclusion: Inclusion): boolean;

/** Throws a `TypeError` when something is malformed. */
export function verifyConsistency(consistency: Consistency): boolean;

/**
 * The checkpoint must be signed by a key whose name is its origin. With `accountId`, the leaf must be that account's; where `vkeys` is
 * null, who signed is not checked. Throws a `TypeError` when something is malformed.
 */
export function verifyAnchor(
  anchor: Anchor,
  vkeys: readonly string[] | null,
  accountId?: string,
): AnchorVerdict;

/** Parses a checkpoint without checking its signatures. Throws a `TypeError` if it is none. */
export function readCheckpoint(note: string): Checkpoint;
