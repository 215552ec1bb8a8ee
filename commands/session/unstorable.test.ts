import { expect } from 'chai';
import { UnstorableEvent } from '../../infra/event-store/client/failures.ts';
import { again, createWorld, newCaller, newSessionId, useStore } from './testing.ts';

describe('a session whose request the log cannot store', () => {
  const opened = useStore();

  it('fails, and its slot is free at once', async () => {
    const world = createWorld(opened.store);
    const [caller, id] = [newCaller('personal', 1), newSessionId()];
    const metadata = { note: 'x'.repeat(1024 * 1024) };
    const error: unknown = await world.sessions
      .create(caller, id, { metadata })
      .catch((caught: unknown) => caught);
    expect(error).to.be.instanceOf(UnstorableEvent);
    expect(await world.eventsOf('session', id)).to.deep.equal([]);
    expect((await world.sessions.create(again(caller), newSessionId(), {})).session.status).to.equal('ready');
  });
});
