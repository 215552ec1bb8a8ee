import { expect } from 'chai';
import { pino } from 'pino';
import { until } from '../../verification/testbed/index.ts';
import type { PictureListener, ShowPicture } from '../node/picture.ts';
import { Feed, type FeedOptions, type Viewer } from './feed.ts';

/** Encoders controlled by the test, which record calls. */
function fakeEncoders() {
  const started: { listener: PictureListener; told: string[] }[] = [];
  const show: ShowPicture = async (_kind, listener) => {
    const told: string[] = [];
    started.push({ listener, told });
    return {
      size: { width: 390, height: 664 },
      key: () => void told.push('key'),
      bitrate: (value) => void told.push(`bitrate ${value}`),
      processorSeconds: () => 2,
      close: async () => void told.push('close'),
    };
  };
  return { started, show };
}

const viewerOf = (): Viewer & { readonly seen: string[] } => {
  const seen: string[] = [];
  return {
    seen,
    unit: (unit) => void seen.push(unit.toString()),
    noPicture: () => void seen.push('nothing'),
  };
};

function feedOn(options: Partial<FeedOptions> = {}) {
  const encoders = fakeEncoders();
  const feed = new Feed({
    ...{ show: encoders.show, kind: 'vp8', prepare: (unit) => unit, logger: pino({ level: 'silent' }) },
    ...{ endsFrame: (unit) => unit.toString().endsWith('.'), lingerMs: 20, keyEveryMs: 1_000 },
    ...options,
  });
  const running = async () => until(async () => feed.isRunning);
  const encoder = () => encoders.started.at(-1) ?? { listener: { unit: () => 0, ended: () => 0 }, told: [] };
  return { ...encoders, feed, running, encoder };
}

describe('the feed of a browser', () => {
  it('runs one encoder for all viewers, from the first until a while after the last', async () => {
    const { feed, started, encoder, running } = feedOn();
    const [one, other] = [viewerOf(), viewerOf()];
    const leaveOne = feed.watch(one);
    const leaveOther = feed.watch(other);
    await running();
    encoder().listener.unit(Buffer.from('a.'));
    leaveOne();
    encoder().listener.unit(Buffer.from('b.'));
    leaveOther();
    await until(async () => encoder().told.includes('close'));
    expect([started.length, feed.isRunning]).to.deep.equal([1, false]);
    expect([one.seen, other.seen]).to.deep.equal([['a.'], ['a.', 'b.']]);
  });
  it('keeps its encoder for a viewer that joins soon after the last has left', async () => {
    const { feed, started, encoder, running } = feedOn({ lingerMs: 60_000 });
    feed.watch(viewerOf())();
    await running();
    feed.watch(viewerOf());
    expect([started.length, encoder().told.includes('close')]).to.deep.equal([1, false]);
    await feed.close();
  });
  it('merges many requests of a key frame at once into one', async () => {
    const { feed, encoder, running } = feedOn({ keyEveryMs: 60_000 });
    Array.from({ length: 50 }, viewerOf).forEach((viewer) => feed.watch(viewer));
    await running();
    for (let times = 0; times < 50; times += 1) feed.key();
    expect(encoder().told.filter((each) => each === 'key').length).to.be.at.most(1);
    await feed.close();
  });
  it('has the bitrate that the slowest viewer can receive, within bounds', async () => {
    const { feed, encoder, running } = feedOn();
    const [fast, slow] = [viewerOf(), viewerOf()];
    feed.watch(fast);
    const leave = feed.watch(slow);
    await running();
    feed.canTake(fast, 90_000_000);
    feed.canTake(slow, 1);
    expect(feed.bitsPerSecond).to.equal(150_000);
    leave();
    expect(feed.bitsPerSecond).to.equal(2_500_000);
    feed.canTake(slow, 10);
    expect(encoder().told.filter((each) => each.startsWith('bitrate'))).to.deep.equal([
      'bitrate 150000',
      'bitrate 2500000',
    ]);
    await feed.close();
  });
  it('restarts a dead encoder once, and then reports that there is no picture', async () => {
    let failures = 0;
    const { feed, started, encoder, running } = feedOn({ onFailed: () => (failures += 1) });
    const viewer = viewerOf();
    feed.watch(viewer);
    await running();
    encoder().listener.ended();
    await until(async () => started.length === 2 && feed.isRunning);
    expect([viewer.seen, failures]).to.deep.equal([[], 0]);
    encoder().listener.ended();
    expect([viewer.seen, failures]).to.deep.equal([['nothing'], 1]);
    expect(started.length).to.equal(2);
    await feed.close();
  });
  it('counts its frames, and the processor time of its encoders, including ended ones', async () => {
    const { feed, started, encoder, running } = feedOn();
    feed.watch(viewerOf());
    await running();
    for (const unit of ['a', 'b.', 'c.']) encoder().listener.unit(Buffer.from(unit));
    encoder().listener.ended();
    await until(async () => started.length === 2 && feed.isRunning);
    expect(feed.counts).to.deep.equal({ units: 3, frames: 2, bytes: 5 });
    expect(feed.processorSeconds).to.equal(4);
    await feed.close();
    expect(feed.processorSeconds).to.equal(4);
  });
  it('drops units that cannot be shown', async () => {
    const { feed, encoder, running } = feedOn({ prepare: () => undefined });
    const viewer = viewerOf();
    feed.watch(viewer);
    await running();
    encoder().listener.unit(Buffer.from('a.'));
    expect([viewer.seen, feed.counts.units]).to.deep.equal([[], 0]);
    await feed.close();
  });
});
