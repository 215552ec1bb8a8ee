import { expect } from 'chai';
import { startStates } from '../../fleet/testing/states.ts';
import { createMetrics } from '../../metrics/index.ts';
import { nodeMetrics } from './node-metrics.ts';

describe('metrics of a node', () => {
  let world: Awaited<ReturnType<typeof startStates>>;
  before(async () => {
    world = await startStates();
  });
  after(() => world.stop());

  it('have no free capacity while it drains', async () => {
    const on = await world.addNode({ capacity: 4 });
    const metrics = createMetrics('node');
    nodeMetrics(metrics, on.node);
    const read = async () => {
      const lines = (await metrics.page()).text.split('\n');
      return ['sessions', 'capacity'].map((name) =>
        Number(lines.find((line) => line.startsWith(`service_node_${name}{`))?.split(' ')[1]),
      );
    };
    const { session } = await on.create(undefined);
    expect(await read()).to.deep.equal([1, 4]);
    const left = on.node.release(60_000);
    expect(await read()).to.deep.equal([1, 1]);
    await on.destroy(session);
    await left;
    expect(await read()).to.deep.equal([0, 0]);
  });
});
