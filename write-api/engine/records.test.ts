import { expect } from 'chai';
import type { RecordedEvent } from '../../infra/event-store/client/types.ts';
import { uuidOf } from '../../contracts/ids.ts';
import { fixedClock, startWriteSide, type WriteSide } from '../testing.ts';

describe('a record over HTTP', () => {
  const clock = fixedClock();
  let side: WriteSide;
  before(async () => {
    side = await startWriteSide({ clock });
  });
  after(() => side.close());

  const create = (token: string) =>
    side.call('POST /v1/account/me/proxies', {
      token,
      body: { label: 'home', scheme: 'socks5', host: 'proxy.example', port: 1080 },
    });

  it('gets the share of the quota back of a request that died before its record came', async () => {
    const { token, accountId } = await side.staff.account('team');
    const at = clock.now().toISOString();
    const [dead, data] = ['0197f1a0-0000-7000-8000-0000000000dd', { accountId, name: 'home', at }];
    await side.store.append(`account_proxies-${uuidOf(accountId)}`, 'no_stream', [
      {
        id: '0197f1a0-0000-7000-8000-0000000000de',
        type: 'ProxyReserved',
        data: { ...data, id: dead },
        metadata: {
          correlation_id: 'c',
          causation_id: 'c',
          actor: { kind: 'api_key', account_id: accountId },
          occurred_at: at,
          schema_version: 1,
          request_id: null,
        },
      },
    ]);
    expect((await create(token)).status).to.equal(409);
    clock.advance(60_000);
    expect((await create(token)).status).to.equal(201);
    const late = await side.events(`proxy-${dead}`);
    expect(late.map(({ type }) => type)).to.deep.equal(['ProxyWithdrawn']);
  });

  it('keeps the name that it is just being given, however long it has had another', async () => {
    const { token, accountId } = await side.staff.account('team');
    const id = String((await create(token)).json.id);
    clock.advance(3_600_000);
    const stream = `account_proxies-${uuidOf(accountId)}`;
    const [reserved] = (await side.events(stream)) as [RecordedEvent];
    const at = clock.now().toISOString();
    // The first step of a request that changes the label.
    await side.store.append(stream, 0n, [
      {
        id: '0197f1a0-0000-7000-8000-0000000000df',
        type: 'ProxyReserved',
        data: { accountId, id, name: 'office', at },
        metadata: { ...reserved.metadata, schema_version: 1 },
      },
    ]);
    const other = (label: string) =>
      side.call('POST /v1/account/me/proxies', {
        token,
        body: { label, scheme: 'socks5', host: 'proxy.example', port: 1080 },
      });
    expect((await other('office')).status).to.equal(409);
    clock.advance(60_000);
    expect((await other('office')).status).to.equal(201);
  });
});
