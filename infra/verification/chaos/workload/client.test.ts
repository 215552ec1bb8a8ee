import { expect } from 'chai';
import { toId } from '../../../../contracts/ids.ts';
import { startMisbehavingServer } from '../../testbed/index.ts';
import * as will from '../../testbed/misbehaving-server.ts';
import { History } from '../history.ts';
import { createClient } from './client.ts';

describe('a client of the chaos workload', () => {
  it('takes an error for the outcome if its key gets the same answer again, but not the first time', async () => {
    const server = await startMisbehavingServer();
    try {
      const account = toId('account', '0197f1a0-0000-7000-8000-000000000002');
      const identity = { name: 'talker', account, token: 'svc_test_1' };
      const client = createClient(server.url, new History(), identity);
      const call = { action: 'create', target: 'POST /v1/sessions', body: {}, key: 'once' };
      server.will(will.broken, will.broken, will.broken);
      expect((await client.call(call)).answer.kind).to.equal('unknown');
      expect([...client.open.keys()]).to.deep.equal(['once']);
      const unavailable = (headers: Readonly<Record<string, string>>) =>
        will.problem(503, 'feature-unavailable', {}, headers);
      server.will(unavailable({}));
      expect((await client.call(call)).answer.kind).to.equal('unknown');
      expect([...client.open.keys()]).to.deep.equal(['once']);
      server.will(unavailable({ 'Retry-After': '2', 'Idempotency-Replayed': 'true' }));
      expect((await client.call(call)).answer.kind).to.equal('failed');
      expect([...client.open.keys()]).to.deep.equal([]);
    } finally {
      await server.close();
    }
  });
});
