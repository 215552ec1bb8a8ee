import { expect } from 'chai';
import { piecesOf } from '../../console/parts/phone/pieces.ts';

describe('a long text for the phone', () => {
  it('is cut into pieces that have no half of a character', () => {
    expect(piecesOf('', 3)).to.deep.equal([]);
    expect(piecesOf('abc', 3)).to.deep.equal(['abc']);
    expect(piecesOf('ab\n😀😀d', 3)).to.deep.equal(['ab\n', '😀😀d']);
    expect(piecesOf('ab😀', 3)).to.deep.equal(['ab😀']);
    expect(piecesOf('aaa😀', 3)).to.deep.equal(['aaa', '😀']);
  });
});
