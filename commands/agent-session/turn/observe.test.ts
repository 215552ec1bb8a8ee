import { expect } from 'chai';
import { newContext, nodeId, useStore } from '../../session/testing.ts';
import { agentWorld } from '../testing.ts';
import { observe } from './observe.ts';

const opened = useStore();

describe('the observation of a page for a model', () => {
  it('is null for a lost browser, even before the agent session has recorded the loss', async () => {
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
