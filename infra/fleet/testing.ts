import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import pino from 'pino';
import { archetypeCatalogue } from '../../contracts/archetypes.ts';
import type { OperationInput, OperationResult } from '../../contracts/fleet/operations.ts';
import type { CreateDispatch } from '../../contracts/fleet/protocol.ts';
import { toId, type SessionId } from '../../contracts/ids.ts';
import type { Operation } from '../../contracts/operations.ts';
import { onlyPepper } from '../keys/index.ts';
import { systemClock } from '../platform/clock.ts';
import { tempDir } from '../verification/testbed/index.ts';
import { createFleet } from './control-plane/client.ts';
import type { NodeAddress } from './control-plane/registry.ts';
import type { Driver } from './node/driver.ts';
import { startNodeServer } from './node/server.ts';
import type { SessionsOptions } from './node/sessions-options.ts';
import { Sessions } from './node/sessions.ts';

const logger = pino({ level: 'silent' });
const credential = 'c'.repeat(32);

export const sessionsOf = (driver: Driver, more: Partial<SessionsOptions> = {}) =>
  new Sessions({
    ...{ driver, logger, capacity: 4, graceMs: 3_000, maxResultBytes: 4_000_000 },
    uploadsDir: join(tempDir('node'), 'uploads'),
    capturesDir: join(tempDir('node'), 'captures'),
    driverLog: () => undefined,
    onDeath: () => undefined,
    onReport: () => undefined,
    // No session has a profile.
    states: { fetch: () => Promise.reject(new Error('There are no states.')) },
    saves: { begin: () => undefined },
    ...more,
  });

/** A registry of one node, without details of its state. */
export const registryOf = (address: NodeAddress) => ({
  list: () => Promise.resolve([]),
  listeningForMs: () => Promise.resolve(0),
  address: () => Promise.resolve(address),
});

/** A node with one driver, and the fleet that calls it, over the protocol and without a registry. */
export async function startNodeOf(driver: Driver) {
  const sessions = sessionsOf(driver);
  const server = await startNodeServer({ clock: systemClock, credential, sessions, logger });
  const node = toId('node', randomUUID());
  const registry = registryOf({ url: server.url, credential });
  const fleet = createFleet({ registry, logger, peppers: onlyPepper('pepper') });
  return {
    ...{ fleet, node, sessions },
    /** A session with a browser. */
    create: async (
      more: Pick<CreateDispatch, 'geolocation'> = {},
      account = toId('account', randomUUID()),
    ): Promise<SessionId> => {
      const session = toId('session', randomUUID());
      const archetype = archetypeCatalogue.default;
      const dispatch = { session_id: session, dispatch_id: randomUUID(), archetype, ...more };
      await fleet.create(node, dispatch, { account, deadlineMs: 30_000 });
      return session;
    },
    operate: async <O extends Operation>(
      session: SessionId,
      operation: O,
      input: OperationInput<O>,
      timeout_ms = 10_000,
    ): Promise<OperationResult<O>> => {
      const dispatch = { dispatch_id: randomUUID(), operation, input, timeout_ms };
      const outcome = await fleet.operate(node, session, dispatch, timeout_ms + 5_000);
      if (outcome.outcome === 'failed') throw new Error(outcome.failure.reason);
      // The driver's own tests validate the result against its schema.
      return outcome.result as OperationResult<O>;
    },
    stop: async () => {
      for (const session of sessions.list()) await sessions.destroy(session);
      await fleet.close();
      await server.close();
      await driver.close();
    },
  };
}
