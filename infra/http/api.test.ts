import { expect } from 'chai';
import { startApi } from './fixture.ts';

describe('An API', () => {
  it('answers', async () => {
    const api = await startApi('write', {});
    const r = await api.call('POST /v1/sessions', { body: { label: 'x', zzz: 1 } });
    console.log(r.status, r.json, [...r.headers]);
    const q = await api.call('POST /v1/sessions/ses_1/interact', { body: { action: { kind: 'nope' } } });
    console.log(q.status, q.json, [...q.headers]);
    expect(r.status).to.equal(201);
    await api.close();
  });
});
