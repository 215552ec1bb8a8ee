import { expect } from 'chai';
import type { AuditEntry } from '../contracts/resources/account.ts';
import { positionText } from '../infra/event-store/client/position.ts';
import { at } from '../projections/testing/index.ts';
import { aheadClock, asking, entriesIn, errorsOf, nextMinute } from './engine/testing.ts';
import { dataOf, outcomeOf, startReadApi, type ReadApi } from './testing.ts';

describe('the history of a resource', () => {
  let api: ReadApi;
  before(async () => {
    api = await startReadApi({ clock: aheadClock });
    api.project();
  });
  after(() => api.close());
  const { get, aLife } = asking(() => api);

  it('says what changed, by whom and in which request, newest first', async () => {
    const { account, token, path, wasDestroyed, wasReady } = await aLife();
    const entries = entriesIn(await get(token, `${path}/history`));
    expect(entries.map(({ action }) => action)).to.deep.equal([
      'session.destroyed',
      'SessionReady',
      'session.created',
    ]);
    const [last, second] = entries;
    expect(last).to.deep.include({
      ...{ position: positionText(wasDestroyed), actor: { kind: 'api_key', account_id: account } },
      request_id: 'req_test0001',
    });
    expect(last?.changes).to.deep.include({ path: '/status', before: 'ready', after: 'destroyed' });
    expect(second).to.deep.include({
      position: positionText(wasReady),
      changes: [
        { path: '/status', before: 'creating', after: 'ready' },
        { path: '/ready_at', before: null, after: at },
      ],
    });
  });

  it('names the entry of the audit log for what has one', async () => {
    const { token, path } = await aLife();
    const audited = dataOf<AuditEntry>(await get(token, '/v1/account/audit-log?limit=2'));
    expect(audited.map(({ action }) => action)).to.deep.equal(['session.destroyed', 'session.created']);
    const entries = entriesIn(await get(token, `${path}/history`));
    const [ended, begun] = audited.map(({ id }) => id);
    expect(entries.map(({ audit_entry_id }) => audit_entry_id)).to.deep.equal([ended, undefined, begun]);
  });

  it('comes in pages, whose cursors are of this resource alone', async () => {
    const life = await aLife();
    const other = await aLife({ account: life.account, key: { text: life.token } });
    const page = (path: string, cursor = '') => get(life.token, `${path}/history?limit=2&cursor=${cursor}`);
    const first = await page(life.path);
    expect(first.json).to.include({ has_more: true });
    const cursor = String(first.json.next_cursor);
    const second = await page(life.path, cursor);
    expect(second.json).to.include({ has_more: false, next_cursor: '' });
    expect(entriesIn(second).map(({ position }) => position)).to.deep.equal([
      positionText(life.wasRequested),
    ]);
    for (const [path, wrong] of [
      [other.path, cursor],
      [life.path, `${cursor}x`],
    ] as const)
      expect(outcomeOf(await page(path, wrong))).to.equal('bad-request');
  });

  it('between two moments is one entry: what differs between both', async () => {
    const { token, path, wasRequested, wasDestroyed } = await aLife();
    const between = (from: string, to: string) =>
      get(token, `${path}/history?from=${encodeURIComponent(from)}&to=${encodeURIComponent(to)}`);
    const answer = await between(positionText(wasRequested), positionText(wasDestroyed));
    expect(answer.json).to.include({ has_more: false, next_cursor: '' });
    const [entry, ...others] = entriesIn(answer);
    expect(others).to.deep.equal([]);
    expect(entry).to.deep.include({ position: positionText(wasDestroyed), action: 'session.destroyed' });
    expect(entry?.changes).to.deep.include({ path: '/status', before: 'creating', after: 'destroyed' });
    const [last] = entriesIn(await get(token, `${path}/history`));
    expect(entry).to.include({ at: last?.at });
    const [same] = entriesIn(await between(positionText(wasDestroyed), positionText(wasDestroyed)));
    expect(same?.changes).to.deep.equal([]);
    const minute = nextMinute();
    const [all] = entriesIn(await between('2020-01-01T00:00:00Z', minute.toISOString()));
    expect(all).to.include({ at: minute.toISOString() });
    expect(all?.changes).to.deep.include({ path: '/status', after: 'destroyed' });
    const turned = await between(positionText(wasDestroyed), positionText(wasRequested));
    expect(errorsOf(turned)).to.deep.equal(['/query/from']);
    expect(errorsOf(await get(token, `${path}/history?to=1%2F1`))).to.deep.equal(['/query/from']);
    expect(errorsOf(await get(token, `${path}/history?from=1%2F1`))).to.deep.equal(['/query/to']);
  });
});
