import { expect } from 'chai';
import { longestReason } from '../../../contracts/fleet/protocol.ts';
import { createOutboundGuard } from '../../outbound/guard.ts';
import { createSimulatedDriver } from '../simulated/index.ts';
import { startNodeOf } from '../testing.ts';
import { pageFailure, type Driver } from './driver.ts';

const simulated = createSimulatedDriver({ guard: createOutboundGuard() });
const name = 'x-'.repeat(longestReason);
/** On whose pages an element with a very long name covers all others. */
const covered: Driver = {
  ...simulated,
  launch: async (...how) => {
    const browser = await simulated.launch(...how);
    const refuse = () =>
      Promise.reject(pageFailure('condition_not_met', `The element is covered by ${name}.`));
    return { ...browser, operations: { ...browser.operations, interact: refuse } };
  },
};

describe('a failure that names an element of the page', () => {
  let node: Awaited<ReturnType<typeof startNodeOf>>;
  before(async () => {
    node = await startNodeOf(covered);
  });
  after(() => node.stop());

  it('is cut, however long the name is, and does not count as silence', async () => {
    const session = await node.create();
    const action = { kind: 'tap', selector: 'a' } as const;
    const failure: unknown = await node
      .operate(session, 'interact', { action })
      .catch((error: unknown) => error);
    const reason = `The element is covered by ${name}`.slice(0, longestReason);
    expect(failure).to.have.property('message', reason);
  });
});
