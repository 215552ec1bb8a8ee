/** Whether a log position, `<commit>/<prepare>`, is after another one. Both parts are 64-bit integers. */
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
