import { expect } from 'chai';
import { bounds } from './bounds.ts';
import { reportsFor } from './reports.ts';

/** An RTCP packet of this type; `kind`: the last five bits of its first byte. */
function packet(type: number, words: number, kind = 1): Buffer {
  const made = Buffer.alloc(4 + 4 * words, 0xff);
  made.writeUInt32BE(((0x80 | kind) * 2 ** 24 + type * 2 ** 16 + words) >>> 0, 0);
  return made;
}

describe('reports of a participant', () => {
  it('are kept but for what is not used, with one list of lost packets at the end', () => {
    const [report, lost, picture] = [packet(201, 7), packet(205, 3), packet(206, 2)];
    const given = Buffer.concat([lost, report, packet(205, 5, 15), packet(202, 2), lost, picture]);
    expect(reportsFor()(given)).to.deep.equal(Buffer.concat([report, picture, lost]));
  });
  it('call no more lost than entries of a list and of a second allow', () => {
    const reduce = reportsFor();
    expect(reduce(packet(205, 900))).to.have.length(12 + 4 * bounds.reports.mostEntries);
    for (let times = 0; times < 20; times += 1) reduce(packet(205, 900));
    expect(reduce(packet(205, 900))).to.have.length(0);
  });
  it('are few and short, about no more streams than are sent', () => {
    const pictures = Array.from({ length: 10 }, () => packet(206, 2));
    const given = Buffer.concat([packet(201, 0, 31), packet(201, 7, 31), packet(206, 900), ...pictures]);
    expect(reportsFor()(given)).to.deep.equal(Buffer.concat(pictures.slice(0, bounds.reports.used)));
  });
  it('are ignored from a packet on that is longer than the datagram', () => {
    expect(reportsFor()(packet(201, 7).subarray(0, 20))).to.have.length(0);
    expect(reportsFor()(Buffer.alloc(3))).to.have.length(0);
  });
});
