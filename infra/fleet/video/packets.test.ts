import { expect } from 'chai';
import { beginsKeyFrame, createBacklog, createRestamp, endsFrame, isRtp } from './vp8.ts';
import { attributesFrom } from './attributes.ts';
import { bounds, createAllowance } from './bounds.ts';
import { fromKeyFrame } from './live-room.ts';

/** An RTP packet with that payload. */
function packet(payload: readonly number[], { marker = false, time = 0 } = {}): Buffer {
  const head = Buffer.alloc(12);
  head[0] = 0x80;
  head[1] = marker ? 0xe0 : 0x60;
  head.writeUInt32BE(time, 4);
  return Buffer.concat([head, Buffer.from(payload)]);
}
const key = packet([0x10, 0x00]);
const delta = packet([0x10, 0x01]);

describe('packets of VP8', () => {
  it('are RTP with a payload, as the encoder writes them', () => {
    expect([key, Buffer.alloc(0), Buffer.alloc(12, 0x80), Buffer.alloc(40)].map(isRtp)).to.deep.equal([
      ...[true, false, false, false],
    ]);
  });
  it('begin a key frame by the first bit of its first partition, after a descriptor of any length', () => {
    const extended = [
      [[0x90, 0x80, 0x05, 0x00], true],
      [[0x90, 0x80, 0x85, 0x05, 0x00], true],
      [[0x90, 0xe0, 0x85, 0x05, 0x01, 0x20, 0x00], true],
      [[0x90, 0x80, 0x05, 0x01], false],
      [[0x00, 0x00], false],
      [[0x11, 0x00], false],
      [[0x90, 0x80], false],
      [[], false],
    ] as const;
    for (const [payload, begins] of extended)
      expect(beginsKeyFrame(packet(payload)), payload.join()).to.equal(begins);
  });
  it('end a frame with the marker', () => {
    expect([packet([1], { marker: true }), packet([1])].map(endsFrame)).to.deep.equal([true, false]);
  });
  it('are numbered as one stream across restarts, and have the time of their arrival', () => {
    let now = 1_000;
    const stamp = createRestamp(() => now);
    const numbers = [7, 7, 8].map((time) => {
      const stamped = stamp(packet([1], { time }));
      now += 10;
      return [stamped.readUInt16BE(2), stamped.readUInt32BE(4)];
    });
    // Both packets of the first frame have the same time.
    expect(numbers).to.deep.equal([
      [1, 90_000],
      [2, 90_000],
      [3, 91_800],
    ]);
  });
  it('are kept since the last key frame until they are taken, and then get current times', () => {
    const backlog = createBacklog(4);
    const keyAt = (time: number) => packet([0x10, 0x00], { time });
    const deltaAt = (time: number) => packet([0x10, 0x01], { time });
    for (const each of [
      deltaAt(0),
      keyAt(3_000),
      deltaAt(6_000),
      keyAt(9_000),
      deltaAt(9_000),
      deltaAt(12_000),
    ])
      backlog.unit(each);
    expect(backlog.take().map((each) => each.readUInt32BE(4))).to.deep.equal([11_910, 11_910, 12_000]);
    expect(backlog.take()).to.deep.equal([]);
  });
  it('are not kept when there are too many before the next key frame', () => {
    const backlog = createBacklog(2);
    for (const each of [key, delta, delta, delta]) backlog.unit(each);
    expect(backlog.take()).to.deep.equal([]);
    for (const each of [delta, key]) backlog.unit(each);
    expect(backlog.take()).to.deep.equal([key]);
  });
  it('are passed on from a key frame on, and after a gap from the next key frame on', () => {
    const seen: Buffer[] = [];
    const shown = fromKeyFrame((each) => seen.push(each));
    for (const each of [delta, key, delta]) shown.unit(each);
    shown.broken();
    for (const each of [delta, key]) shown.unit(each);
    expect(seen).to.deep.equal([key, delta, key]);
  });
});

describe('the attributes of a participant', () => {
  const { most, name, value } = bounds.attributes;
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`a${n}`, 'x']));

  it('are merged, and an empty value removes one', () => {
    expect(attributesFrom({ a: '1', b: '2' }, { b: '', c: '3' })).to.deep.equal({ a: '1', c: '3' });
  });
  it('are bounded', () => {
    expect(Object.keys(attributesFrom({}, many(most)) ?? {})).to.have.length(most);
    expect(attributesFrom({}, many(most + 1))).to.equal(undefined);
    expect(attributesFrom(many(most), { another: 'x' })).to.equal(undefined);
    expect(attributesFrom({}, { ['n'.repeat(name + 1)]: 'x' })).to.equal(undefined);
    expect(attributesFrom({}, { n: 'x'.repeat(value + 1) })).to.equal(undefined);
  });
});

describe('a token bucket', () => {
  it('allows its burst at once, and no more until time has passed', () => {
    const may = createAllowance({ burst: 3, perSecond: 0.001 });
    expect([may(), may(2), may(), may()]).to.deep.equal([true, true, false, false]);
  });
});
