import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { expect } from 'chai';
import pino from 'pino';
import { archetypeCatalogue } from '../../contracts/archetypes.ts';
import { toId } from '../../contracts/ids.ts';
import { createOutboundGuard } from '../outbound/guard.ts';
import { onlyPepper } from '../keys/index.ts';
import { systemClock } from '../platform/clock.ts';
import { createFleet } from './control-plane/client.ts';
import type { Driver } from './node/driver.ts';
import { startNodeServer } from './node/server.ts';
import { createSimulatedDriver } from './simulated/index.ts';
import { registryOf, sessionsOf, startNodeOf } from './testing.ts';

const logger = pino({ level: 'silent' });
const credential = 'c'.repeat(32);
const createOf = () => ({
  session_id: toId('session', randomUUID()),
  dispatch_id: randomUUID(),
  archetype: archetypeCatalogue.default,
});

/** A driver that records the accounts' marks of its launches. */
function markKeeper() {
  const simulated = createSimulatedDriver({ guard: createOutboundGuard() });
  const marks: string[] = [];
  const driver: Driver = {
    ...simulated,
    launch: (session, archetype, options) => {
      marks.push(options.tenant);
      return simulated.launch(session, archetype, options);
    },
  };
  return { driver, marks };
}

describe('the account of a session', () => {
  const [one, other] = [toId('account', randomUUID()), toId('account', randomUUID())];

  it('is known to its node by an opaque mark only', async () => {
    const { driver, marks } = markKeeper();
    const node = await startNodeOf(driver);
    for (const account of [one, other, one]) await node.create({}, account);
    expect(marks[0]).to.equal(marks[2]).and.not.equal(marks[1]);
    for (const mark of marks) expect(mark).to.match(/^[0-9a-f]{64}$/);
    await node.stop();
  });

  it('has the same mark for all sessions of a control plane that sends no marks', async () => {
    const { driver, marks } = markKeeper();
    const server = await startNodeServer({
      ...{ clock: systemClock, credential, logger },
      sessions: sessionsOf(driver),
    });
    for (const body of [createOf(), createOf()]) {
      const reply = await fetch(new URL('/sessions', server.url), {
        method: 'POST',
        headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      expect(await reply.json()).to.include({ outcome: 'succeeded' });
    }
    expect(marks).to.deep.equal(['', '']);
    await server.close();
  });

  it('is not in the body of a create, so that nodes of earlier releases accept it', async () => {
    const bodies: unknown[] = [];
    const server = createServer((request, response) => {
      void json(request).then((body) => {
        bodies.push(body);
        response.end('{"outcome":"succeeded","egress_capabilities":null}');
      });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const address = server.address();
    const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
    const registry = registryOf({ url, credential });
    const fleet = createFleet({ registry, logger, peppers: onlyPepper('pepper') });
    const dispatch = createOf();
    const outcome = await fleet.create(toId('node', randomUUID()), dispatch, {
      account: one,
      deadlineMs: 5_000,
    });
    expect(outcome).to.include({ outcome: 'succeeded' });
    expect(bodies).to.deep.equal([dispatch]);
    await fleet.close();
    server.close();
  });
});
