import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import pino from 'pino';
import { archetypeCatalogue } from '../../../contracts/archetypes.ts';
import { toId } from '../../../contracts/ids.ts';
import { createOutboundGuard } from '../../outbound/guard.ts';
import { systemClock } from '../../platform/clock.ts';
import { createSimulatedDriver } from '../simulated/index.ts';
import { sessionsOf } from '../testing.ts';
import type { Driver } from './driver.ts';
import { startNodeServer } from './server.ts';

const credential = 'c'.repeat(32);

/** A driver that counts how often a snapshot was made JSON. */
function counting() {
  const simulated = createSimulatedDriver({ guard: createOutboundGuard() });
  const made = { times: 0 };
  const driver: Driver = {
    ...simulated,
    launch: async (...how) => {
      const browser = await simulated.launch(...how);
      const capture: typeof browser.operations.capture = async (...asked) => {
        const result = await browser.operations.capture(...asked);
        const toJSON = () => {
          made.times += 1;
          return { ...result };
        };
        return Object.defineProperty(result, 'toJSON', { value: toJSON });
      };
      return { ...browser, operations: { ...browser.operations, capture } };
    },
  };
  return { driver, made };
}

describe('the answer to a dispatch', () => {
  it('is made JSON once, also for its length and its repetitions, and has no ETag', async () => {
    const { driver, made } = counting();
    const sessions = sessionsOf(driver);
    const logger = pino({ level: 'silent' });
    const server = await startNodeServer({ clock: systemClock, credential, sessions, logger });
    const send = async (path: string, body: object) => {
      const headers = { authorization: `Bearer ${credential}`, 'content-type': 'application/json' };
      const reply = await fetch(new URL(path, server.url), {
        ...{ method: 'POST', headers },
        body: JSON.stringify({ dispatch_id: randomUUID(), ...body }),
      });
      expect(reply.headers.get('etag')).to.equal(null);
      expect(reply.headers.get('content-type')).to.equal('application/json; charset=utf-8');
      return reply.text();
    };
    const session = toId('session', randomUUID());
    await send('/sessions', { session_id: session, archetype: archetypeCatalogue.default });
    const input = { kind: 'dom_snapshot' };
    const capture = { dispatch_id: randomUUID(), operation: 'capture', input, timeout_ms: 5_000 };
    const first = await send(`/sessions/${session}/operations`, capture);
    expect(JSON.parse(first)).to.include({ outcome: 'succeeded' });
    expect(await send(`/sessions/${session}/operations`, capture)).to.equal(first);
    expect(made.times).to.equal(1);
    await sessions.destroy(session);
    await server.close();
    await driver.close();
  });
});
