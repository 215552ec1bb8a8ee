import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { archetypeCatalogue } from '../../../contracts/archetypes.ts';
import { toId } from '../../../contracts/ids.ts';
import { createOutboundGuard } from '../../outbound/guard.ts';
import { until } from '../../verification/testbed/index.ts';
import { createSimulatedDriver } from '../simulated/index.ts';
import { sessionsOf } from '../testing.ts';
import type { Driver } from './driver.ts';

let launches = 0;
/** A driver whose launches wait until they are withdrawn. */
const waiting: Driver = {
  ...createSimulatedDriver({ guard: createOutboundGuard() }),
  launch: (_session, _archetype, { signal }) =>
    new Promise((_, reject) => {
      launches += 1;
      signal?.addEventListener('abort', () => reject(signal.reason as Error));
    }),
};

describe('a session that ends before its browser is started', () => {
  it('has its launch aborted, and is removed', async () => {
    const sessions = sessionsOf(waiting);
    const session_id = toId('session', randomUUID());
    const archetype = archetypeCatalogue.default;
    const creating = sessions.create({ session_id, dispatch_id: randomUUID(), archetype }, 'one');
    await until(() => launches > 0);
    await sessions.destroy(session_id);
    expect(sessions.list()).to.deep.equal([]);
    const { outcome, ...rest } = await creating;
    expect(outcome).to.equal('failed');
    expect(rest).to.have.nested.property(
      'failure.reason',
      'The session ended before its browser was started.',
    );
  });
});
