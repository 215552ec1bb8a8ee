import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import pino from 'pino';
import { toId } from '../../../contracts/ids.ts';
import type { ControlPlane } from './control-plane.ts';
import { createFirstBrowser } from './first-browser.ts';
import { joinControlPlane } from './membership.ts';
import type { Sessions } from './sessions.ts';

const logger = pino({ level: 'silent' });

describe('a node before its first browser', () => {
  it('registers once one has started, and reports until then what is missing', async () => {
    const node_id = toId('node', randomUUID());
    const body = { name: 'a node', url: 'http://node.test', driver: 'webkit', capacity: 1 } as const;
    const registrations: string[] = [];
    const controlPlane = {
      register: ({ name }: { name: string }) => {
        registrations.push(name);
        return Promise.resolve({ node_id, heartbeat_ms: 10 });
      },
      heartbeat: () => Promise.resolve({ destroy: [], draining: false }),
    } as unknown as ControlPlane;
    const sessions = { status: () => ({}), draining: false } as unknown as Sessions;
    const tries: (() => Promise<void>)[] = [() => Promise.reject(new Error('There is no display.'))];
    const ready = () => (tries.shift() ?? (() => Promise.resolve()))();
    const firstBrowser = createFirstBrowser({ ready }, logger);
    const retryMs = 10;
    const watched = () => [];
    const own = {
      watched,
      body: { ...body, credential: 'c'.repeat(32) },
      sessions,
      firstBrowser,
      logger,
      retryMs,
    };
    const membership = joinControlPlane({ controlPlane, ...own });
    const missing: unknown = await firstBrowser.outcome().catch((error: unknown) => error);
    expect(String(missing)).to.include('There is no display.');
    expect(registrations).to.deep.equal([]);
    expect(await membership.registered).to.equal(node_id);
    await firstBrowser.outcome();
    await membership.leave();
  });
});
