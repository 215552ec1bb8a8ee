import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { archetypeCatalogue } from '../../../contracts/archetypes.ts';
import { toId } from '../../../contracts/ids.ts';
import { createOutboundGuard } from '../../outbound/guard.ts';
import { createSimulatedDriver } from '../simulated/index.ts';
import { sessionsOf } from '../testing.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

describe('the outcome of an operation', () => {
  it('is not kept by its session, since it may be large and the session idle for long', async () => {
    const sessions = sessionsOf(createSimulatedDriver({ guard: createOutboundGuard() }));
    const session_id = toId('session', randomUUID());
    const archetype = archetypeCatalogue.default;
    await sessions.create({ session_id, dispatch_id: randomUUID(), archetype }, 'one');
    const operate = async () => {
      const input = { kind: 'dom_snapshot' };
      const dispatch = { dispatch_id: randomUUID(), operation: 'capture', input, timeout_ms: 5_000 } as const;
      const outcome = await sessions.operate(session_id, dispatch);
      expect(outcome.outcome).to.equal('succeeded');
      return new WeakRef(outcome);
    };
    const outcome = await operate();
    // Weak references hold their targets until the end of the current job.
    await setImmediate();
    collectGarbage();
    expect(outcome.deref()).to.equal(undefined);
    await sessions.destroy(session_id);
  });
});
