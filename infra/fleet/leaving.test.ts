import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { toId } from '../../contracts/ids.ts';
import { until } from '../verification/testbed/index.ts';
import { startStates } from './testing/states.ts';

const newProfile = () => toId('profile', randomUUID());

describe('a node that leaves', () => {
  let world: Awaited<ReturnType<typeof startStates>>;
  beforeEach(async () => {
    world = await startStates();
  });
  afterEach(() => world.stop());

  it('gets nothing new, takes what was placed there before, and waits until all have ended and are saved', async () => {
    const on = await world.addNode();
    const { save } = world.states;
    let answer: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => {
      world.states.save = async (...of) => {
        resolve();
        await new Promise<void>((go) => (answer = go));
        return save(...of);
      };
    });
    const { session } = await on.create(newProfile());
    let hasLeft = false;
    const left = on.node.release(60_000).then(() => (hasLeft = true));
    const late = await on.create(undefined);
    expect(late.outcome).to.have.property('outcome', 'succeeded');
    expect(on.node.status()).to.deep.include({ draining: true, sessions: [session, late.session] });
    await on.destroy(late.session);
    await on.destroy(session);
    await asked;
    expect([on.node.status().sessions, hasLeft]).to.deep.equal([[], false]);
    answer();
    await left;
    expect(world.sent.map((sent) => sent.session)).to.deep.equal([session]);
    await on.node.drain();
    expect(world.reports).to.deep.equal([]);
  });

  it('still reports that it is draining when the control plane answers that it is not', async () => {
    const on = await world.addNode();
    const { session } = await on.create(undefined);
    const left = on.node.release(60_000);
    // Heartbeats are answered that it is not draining.
    await on.visit(session, '/slow?ms=300');
    expect(on.node.status().draining).to.equal(true);
    await on.destroy(session);
    await left;
  });

  it('waits no longer than its time limit', async () => {
    const on = await world.addNode();
    const { session } = await on.create(undefined);
    await on.node.release(50);
    await until(() => on.node.status().draining);
    expect(on.node.status().sessions).to.deep.equal([session]);
  });
});
