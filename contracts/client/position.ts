/** Whether a place in the log, `<commit>/<prepare>`, is behind another one. Both are integers of 64 bits. */
export function isLater(one: string, other: string): boolean {
  const [commit, prepare] = partsOf(one);
  const [otherCommit, otherPrepare] = partsOf(other);
  return commit === otherCommit ? prepare > otherPrepare : commit > otherCommit;
}

const partsOf = (position: string): [bigint, bigint] => {
  const [commit = '', prepare = ''] = position.split('/');
  return [numberIn(commit), numberIn(prepare)];
};

const numberIn = (digits: string): bigint => (/^\d+$/.test(digits) ? BigInt(digits) : -1n);
