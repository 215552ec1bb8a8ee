import { expect } from 'chai';
import { createCursors } from './cursors.ts';

const [oldKey, newKey] = [Buffer.from('the old key'), Buffer.from('the new key')];
const at = ['sessions.list', 'acc_1'] as const;

describe('a cursor', () => {
  it('is good while one of the keys is that which signed it', () => {
    const [before, during, after] = [
      createCursors([oldKey]),
      createCursors([newKey, oldKey]),
      createCursors([newKey]),
    ];
    const [older, newer] = [before.encode(...at, ['7']), during.encode(...at, ['8'])];
    expect([older, newer].map((cursor) => during.decode(...at, cursor))).to.deep.equal([['7'], ['8']]);
    expect(after.decode(...at, newer)).to.deep.equal(['8']);
    for (const [cursors, cursor] of [
      [after, older],
      [before, newer],
    ] as const)
      expect(() => cursors.decode(...at, cursor)).to.throw('not one that this list gave');
  });
});
