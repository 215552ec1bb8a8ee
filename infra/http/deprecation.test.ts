import { expect } from 'chai';
import type { Deprecation } from '../../contracts/deprecations.ts';
import { owner, startApi } from './testing.ts';

const dates = { announced: '2026-01-01', sunset: '2026-06-01', replacement: 'GET /v1/usage' };
const registry: readonly Deprecation[] = [
  { id: 'old-list', route: 'GET /v1/sessions', ...dates },
  { id: 'old-label', route: 'POST /v1/sessions', field: { in: 'request', name: 'label' }, ...dates },
];

describe('an API with deprecated parts', () => {
  const uses: [string, string][] = [];
  const onDeprecatedUse = (...use: [string, string]) => void uses.push(use);
  let read: Awaited<ReturnType<typeof startApi<'read'>>>;
  let write: Awaited<ReturnType<typeof startApi<'write'>>>;
  before(async () => {
    const options = { deprecations: registry, onDeprecatedUse };
    [read, write] = await Promise.all([startApi('read', options), startApi('write', options)]);
  });
  after(() => Promise.all([read.close(), write.close()]));
  beforeEach(() => {
    uses.length = 0;
  });

  it('announces it in every answer of the route, of any status, and in no other', async () => {
    const expected = { deprecation: '@1767225600', sunset: 'Mon, 01 Jun 2026 00:00:00 GMT' };
    expect((await read.call('GET /v1/sessions')).headers).to.include(expected);
    expect((await read.call('GET /v1/sessions', { token: null })).headers).to.include(expected);
    const { headers } = await read.call('GET /v1/sessions');
    expect(headers.link).to.contain('rel="deprecation"').and.contain('</v1/usage>; rel="successor-version"');
    expect((await read.call('GET /v1/usage')).headers).not.to.have.any.keys('deprecation', 'sunset', 'link');
  });

  it('reports the account that used the route', async () => {
    await read.call('GET /v1/sessions');
    await read.call('GET /v1/usage');
    await read.call('GET /v1/sessions', { token: null });
    expect(uses).to.deep.equal([[owner.actorId, 'old-list']]);
  });

  it('reports the account that sends a field, and announces it in every answer', async () => {
    const without = await write.call('POST /v1/sessions', { body: {} });
    expect(without.headers).to.include({ deprecation: '@1767225600' });
    expect(uses).to.deep.equal([]);
    await write.call('POST /v1/sessions', { body: { label: 'x' } });
    expect(uses).to.deep.equal([[owner.actorId, 'old-label']]);
  });
});
