import { expect } from 'chai';
import { newContext, nodeId, useStore } from '../../session/testing.ts';
import { agentWorld } from '../testing.ts';
import { observe } from './observe.ts';

const opened = useStore();

describe('the page that a model is shown', () => {
  it('is none of a browser that has failed, although its agent session has not heard of that', async () => {
    const side = agentWorld(opened.store);
    const sessionId = await side.driverSession();
    const { id } = await side.created({ service_session_id: sessionId });
    const turn = async () => ({ ports: side.ports, session: await side.stateOf(id), hidden: [] });
    await observe(await turn());
    expect(side.challenges.asked).to.equal(1);
    await side.world.sessions.markNodeLost(sessionId, nodeId, newContext(null));
    expect((await side.stateOf(id)).browser).to.deep.include({ sessionId, ended: false });
    expect(await observe(await turn())).to.equal(null);
    expect(side.challenges.asked).to.equal(1);
  });
});
