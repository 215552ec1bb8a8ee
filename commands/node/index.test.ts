import { expect } from 'chai';
import { v7 as uuidv7 } from 'uuid';
import { toId } from '../../contracts/ids.ts';
import { createNodeCommands, type NodeCommands } from './index.ts';
import { createWorld, newContext, openStore, slugOf } from '../session/testing.ts';

describe('nodes', () => {
  let opened: Awaited<ReturnType<typeof openStore>>;
  let nodes: NodeCommands;
  before(async () => {
    opened = await openStore();
    nodes = createNodeCommands(createWorld(opened.store));
  });
  after(() => opened.close());

  const newNode = async () => {
    const nodeId = toId('node', uuidv7());
    const registration = { nodeId, name: 'one', credentialHash: `hash of ${nodeId}` };
    await nodes.register(registration);
    return registration;
  };

  it('are recognised by their own credential, however often they register', async () => {
    const registration = await newNode();
    await nodes.register(registration);
    const { nodeId, credentialHash } = registration;
    expect(await nodes.authenticate(nodeId, credentialHash)).to.equal('active');
    expect(await nodes.authenticate(nodeId, 'another')).to.equal('unknown');
    expect(await nodes.authenticate(toId('node', uuidv7()), credentialHash)).to.equal('unknown');
  });

  it('are drained, brought back and revoked by the operator', async () => {
    const { nodeId, credentialHash } = await newNode();
    const status = () => nodes.authenticate(nodeId, credentialHash);
    await nodes.drain(nodeId, newContext(null));
    expect(await status()).to.equal('draining');
    await nodes.undrain(nodeId, newContext(null));
    expect(await status()).to.equal('active');
    await nodes.revoke(nodeId, newContext(null));
    expect(await status()).to.equal('revoked');
  });

  it('cannot re-register once revoked, nor be taken over', async () => {
    const registration = await newNode();
    expect(await slugOf(nodes.register({ ...registration, credentialHash: 'another' }))).to.equal(
      'invalid-key',
    );
    await nodes.revoke(registration.nodeId, newContext(null));
    expect(await slugOf(nodes.register(registration))).to.equal('revoked-key');
  });
});
