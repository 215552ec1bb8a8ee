import { expect } from 'chai';
import { NodeNotCalled } from '../../infra/fleet/control-plane/port.ts';
import {
  again,
  createWorld,
  createWorldWithSession,
  newCaller,
  newSessionId,
  slugOf,
  useStore,
} from './testing.ts';

describe('a node whose address is not known', () => {
  const opened = useStore();

  it('does no operation, and keeps its sessions', async () => {
    const { world, caller, id } = await createWorldWithSession(opened.store, 'personal');
    const operate = async () =>
      world.sessions.operate(again(caller), await world.sessions.find(caller, id), 'navigate', {});
    world.fleet.onOperate = () => Promise.reject(new NodeNotCalled('no address'));
    const refusal: unknown = await operate().catch((error: unknown) => error);
    expect(refusal).to.deep.include({
      slug: 'feature-unavailable',
      extensions: { retry_after_seconds: 2 },
    });
    const [, , ...types] = await world.eventsOf('session', id);
    expect(types).to.deep.equal(['OperationClaimed', 'OperationSettled']);
    world.fleet.onOperate = () => Promise.resolve({ outcome: 'succeeded', result: null });
    await operate();
    expect(world.fleet.destroyed).to.deep.equal([]);
  });

  it('starts no browser: the create is refused, and its slot is free again', async () => {
    const world = createWorld(opened.store);
    const [caller, id] = [newCaller('personal', 1), newSessionId()];
    world.fleet.onCreate = () => Promise.reject(new NodeNotCalled('no address'));
    expect(await slugOf(world.sessions.create(caller, id, {}))).to.equal('driver-not-integrated');
    expect(await world.eventsOf('session', id)).to.deep.equal(['SessionRequested', 'SessionErrored']);
    expect(await world.eventsOf('account_slots', caller.accountId)).to.include('SlotReleased');
  });
});
