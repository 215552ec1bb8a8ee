import { expect } from 'chai';
import { toId } from '../../contracts/ids.ts';
import { NodeWatch, type LastHeartbeat } from './lost-nodes.ts';

const id = toId('session', '0197f1a0-0000-7000-8000-000000000001');
const nodeId = toId('node', '0197f1a0-0000-7000-8000-000000000003');
const other = toId('node', '0197f1a0-0000-7000-8000-000000000004');
const running = [{ id, nodeId }];
const beat = (ageMs: number, changes: Partial<LastHeartbeat> = {}): LastHeartbeat => ({
  nodeId,
  sessions: [id],
  ageMs,
  ...changes,
});

describe('a session', () => {
  /** Lease 30 s, checked every 5 s; `heartbeats` returns the registry's contents at each second. */
  const lostAfter = (
    heartbeats: (second: number) => readonly LastHeartbeat[],
    seconds = 120,
    everySeconds = 5,
  ) => {
    const watch = new NodeWatch(30_000, 15_000);
    for (let second = 0; second <= seconds; second += everySeconds) {
      if (watch.look(second * 1000, running, heartbeats(second)).length > 0) return second;
    }
    return undefined;
  };

  it('is kept while heartbeats of its node list it', () => {
    expect(lostAfter(() => [beat(4000)])).to.equal(undefined);
  });
  it('is lost a lease after its node’s last heartbeat', () => {
    expect(lostAfter((second) => [beat(Math.max(0, second - 20) * 1000)])).to.equal(50);
  });
  it('is lost a lease after its node vanished from the registry', () => {
    expect(lostAfter((second) => (second <= 20 ? [beat(0)] : []))).to.equal(50);
  });
  it('is lost a lease after its node stopped listing it', () => {
    expect(lostAfter((second) => [beat(0, { sessions: second <= 20 ? [id] : [] })])).to.equal(50);
  });
  it('is not kept by another node that lists it', () => {
    expect(lostAfter(() => [beat(0, { nodeId: other })])).to.equal(30);
  });
  it('gets a whole lease when the watch begins, however old the last heartbeat', () => {
    expect(lostAfter(() => [beat(3_600_000)])).to.equal(30);
  });
  it('gets a whole lease again when no process watched for a while', () => {
    const watch = new NodeWatch(30_000, 15_000);
    expect(watch.look(0, running, [beat(0)])).to.deep.equal([]);
    expect(watch.look(600_000, running, [beat(600_000)])).to.deep.equal([]);
    expect(watch.look(610_000, running, [beat(1000)])).to.deep.equal([]);
    expect(watch.look(620_000, running, [beat(11_000)])).to.deep.equal([]);
  });
  it('is not lost while no process accepts heartbeats, and gets a whole lease when one does again', () => {
    const watch = new NodeWatch(30_000, 15_000);
    const deafUntil = 60;
    const lost = Array.from({ length: 30 }, (_, look) => look * 5).find(
      (second) =>
        watch.look(second * 1000, running, [beat(second * 1000)], Math.max(0, second - deafUntil) * 1000)
          .length > 0,
    );
    expect(lost).to.equal(deafUntil + 30);
  });
  it('is not lost to a clock that jumps', () => {
    const watch = new NodeWatch(30_000, 15_000);
    watch.look(0, running, []);
    expect(watch.look(3_600_000, running, [])).to.deep.equal([]);
    expect(watch.look(0, running, [])).to.deep.equal([]);
  });
});
