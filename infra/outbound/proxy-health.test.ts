import { expect } from 'chai';
import { recoveryMs, silentHosts, watchProxy, type Dialled } from './proxy-health.ts';

describe('the health of a proxy', () => {
  let now: number;
  let changes: boolean[];
  let proxy: ReturnType<typeof watchProxy>;
  beforeEach(() => {
    now = 1_000;
    changes = [];
    proxy = watchProxy(
      (isDead) => void changes.push(isDead),
      () => now,
    );
  });

  const ends = (...outcomes: readonly Exclude<Dialled['outcome'], 'silent'>[]) =>
    outcomes.forEach((outcome) => proxy.add({ outcome }));
  /** Connections to these hosts, begun at once, for which the proxy says nothing. */
  const saysNothingFor = (...hosts: readonly string[]) => {
    const answersBefore = proxy.answers();
    hosts.forEach((host) => proxy.add({ outcome: 'silent', host, answersBefore }));
  };

  it('is dead after one connection that it fails, which is told once', () => {
    ends('connected', 'failed', 'failed');
    expect(changes).to.deep.equal([true]);
  });
  it('is dead once it says nothing for several hosts in a row, which is told once', () => {
    const hosts = Array.from({ length: silentHosts }, (_, index) => `${index}.test`);
    ends('connected');
    saysNothingFor(...hosts.slice(1));
    expect(changes).to.deep.equal([]);
    saysNothingFor(...hosts, 'another.test');
    expect(changes).to.deep.equal([true]);
  });
  it('is not dead because of one slow host, however often that is tried', () => {
    for (let tried = 0; tried < 10; tried += 1) saysNothingFor('slow.test');
    expect(changes).to.deep.equal([]);
  });
  for (const answer of ['connected', 'refused'] as const)
    it(`is not dead if some other connection is ${answer} between the silent ones`, () => {
      saysNothingFor('a.test', 'b.test');
      ends(answer);
      saysNothingFor('c.test', 'd.test');
      expect(changes).to.deep.equal([]);
    });
  it('is not dead for connections that were begun before it answered another one', () => {
    const answersBefore = proxy.answers();
    ends('connected');
    for (const host of ['a.test', 'b.test', 'c.test', 'd.test'])
      proxy.add({ outcome: 'silent', host, answersBefore });
    expect(changes).to.deep.equal([]);
  });
  it('is not dead any more when it connects a minute after it was last seen dead', () => {
    saysNothingFor('a.test', 'b.test', 'c.test');
    now += recoveryMs - 1;
    ends('connected');
    expect(changes).to.deep.equal([true]);
    now += 1;
    ends('connected');
    expect(changes).to.deep.equal([true, false]);
    ends('failed');
    expect(changes).to.deep.equal([true, false, true]);
  });
  it('stays dead while it only refuses targets, or fails now and then', () => {
    ends('failed');
    for (let minute = 0; minute < 10; minute += 1) {
      now += recoveryMs / 2;
      ends('refused', 'connected', 'failed');
    }
    expect(changes).to.deep.equal([true]);
  });
  it('stays dead while it still says nothing', () => {
    saysNothingFor('a.test', 'b.test', 'c.test');
    now += recoveryMs;
    saysNothingFor('c.test');
    ends('connected');
    expect(changes).to.deep.equal([true]);
  });
});
