import { leafHash } from './tree.ts';

/** The head of an account's audit log, as a leaf of the public tree. */
export interface PublicLeaf {
  readonly pseudonym: string;
  readonly size: number;
  /** Base64. */
  readonly root: string;
}

/** The leaf's hash in the public tree. */
export const publicLeafHash = ({ pseudonym, size, root }: PublicLeaf): Buffer =>
  leafHash(Buffer.from(`${pseudonym}\n${size}\n${root}\n`));
