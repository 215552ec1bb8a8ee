import { expect } from 'chai';
import { toId } from '../../contracts/ids.ts';
import type { DialledProxy } from '../../contracts/resources/proxy.ts';
import { createWorld, newCaller, newSessionId, nodeId, useStore, slugOf, type World } from './testing.ts';

describe('creating a session with a saved proxy', () => {
  const proxy: DialledProxy = {
    scheme: 'socks5',
    host: 'proxy.example',
    port: 1080,
    username: null,
    password: null,
  };
  const body = { proxy_id: toId('proxy', '0197f1a0-0000-7000-8000-000000000009') };
  const opened = useStore();
  let world: World;
  beforeEach(() => {
    world = createWorld(opened.store);
  });

  it('tries the proxy before a node is chosen, and hands it to the node', async () => {
    const steps: string[] = [];
    const probe = async () => {
      steps.push('tried');
      return null;
    };
    world.fleet.onPlace = async () => {
      steps.push('placed');
      return nodeId;
    };
    const sessions = world.with({ proxies: { open: async () => proxy, probe } });
    await sessions.create(newCaller(), newSessionId(), body);
    await sessions.create(newCaller(), newSessionId(), {});
    expect(world.fleet.proxies).to.deep.equal([proxy]);
    expect(steps).to.deep.equal(['tried', 'placed', 'placed']);
  });

  it('does not request a session whose slot was held too long while the proxy was tried', async () => {
    const probe = async () => {
      world.clock.advance(31_000);
      return null;
    };
    const sessions = world.with({ proxies: { open: async () => proxy, probe } });
    const id = newSessionId();
    expect(await slugOf(sessions.create(newCaller(), id, body))).to.equal('driver-not-integrated');
    expect(await world.eventsOf('session', id)).to.deep.equal([]);
  });
});
