import { randomBytes, randomUUID } from 'node:crypto';
import { expect } from 'chai';
import pino from 'pino';
import { toId, type AccountId } from '../../contracts/ids.ts';
import type { EventStore, EventToAppend, RecordedEvent } from '../event-store/client/index.ts';
import { connectPostgres, type Postgres } from '../postgres/index.ts';
import { createMasterKeys, createVault, vaultMigrations, type Vault } from '../vault/index.ts';
import { freshDatabase, startEventLog } from '../verification/testbed/index.ts';
import { sealedStore } from './sealed-store.ts';
import { openRows } from './text.ts';

const logger = pino({ level: 'silent' });
const url = 'https://ada.example/hook';

describe('the event store with what is personal sealed', () => {
  let database: Awaited<ReturnType<typeof freshDatabase>>;
  let postgres: Postgres;
  let log: Awaited<ReturnType<typeof startEventLog>>;
  let stored: EventStore;
  let vault: Vault;
  let store: EventStore;
  const masterKeys = createMasterKeys([randomBytes(32)]);
  before(async () => {
    [database, log] = await Promise.all([freshDatabase(), startEventLog()]);
    postgres = connectPostgres({ url: database.url, logger });
    for (const { sql } of vaultMigrations) await postgres.pool.query(sql);
    stored = log.connect({ logger });
    vault = createVault({ pool: postgres.pool, masterKeys });
    store = sealedStore(stored, vault);
  });
  after(async () => {
    await stored.close();
    await log.close();
    await postgres.close();
    await database.drop();
  });

  const newAccount = () => toId('account', randomUUID());
  const event = (type: string, data: object, owner: AccountId | null = null): EventToAppend => ({
    id: randomUUID(),
    type,
    data,
    metadata: {
      correlation_id: 'test',
      causation_id: 'test',
      actor: { kind: 'user', account_id: owner },
      occurred_at: '2026-01-05T12:00:00.000Z',
      schema_version: 2,
      request_id: null,
    },
  });
  async function readAs(reader: EventStore, stream: string): Promise<RecordedEvent[]> {
    const events: RecordedEvent[] = [];
    for await (const each of reader.readStream(stream)) events.push(each);
    return events;
  }
  const dataAs = async (reader: EventStore, stream: string) =>
    (await readAs(reader, stream)).map(({ data }) => data);
  /** One event on its own stream. */
  async function append(category: string, appended: EventToAppend): Promise<string> {
    const stream = `${category}-${randomUUID()}`;
    await store.append(stream, 'no_stream', [appended]);
    return stream;
  }

  it('gives back what was appended, and has none of it in the log', async () => {
    const data = {
      accountId: newAccount(),
      label: 'for Ada',
      metadata: { who: 'Ada', n: [1, null] },
      nodeId: null,
    };
    const stream = await append('session', event('SessionRequested', data));
    expect(await dataAs(store, stream)).to.deep.equal([data]);
    const [raw] = await readAs(stored, stream);
    expect(raw?.metadata.sealed).to.deep.equal(['label', 'metadata']);
    expect(raw?.data).to.include({ accountId: data.accountId, nodeId: null });
    expect(JSON.stringify(raw?.data)).not.to.contain('Ada');
  });

  it('asks for no key where there is nothing to seal', async () => {
    const keyless = sealedStore(stored, {
      open: () => Promise.reject(new Error('not asked')),
      sealer: () => Promise.reject(new Error('not asked')),
    });
    const stream = `session-${randomUUID()}`;
    const data = { accountId: newAccount(), label: null, metadata: {} };
    await keyless.append(stream, 'no_stream', [
      event('SessionRequested', data),
      event('SessionReady', { accountId: data.accountId }),
    ]);
    const [first] = await readAs(keyless, stream);
    expect(first?.data).to.deep.equal(data);
    expect(first?.metadata).not.to.have.property('sealed');
  });

  it('reads as declared once the account is erased, and stores nothing else from then on', async () => {
    const accountId = newAccount();
    const registered = event('WebhookRegistered', { accountId, url, description: 'Ada’s' });
    const changed = event('ProxyChanged', { accountId, changes: { host: 'ada.example', port: 1 } });
    const streams = [await append('webhook_endpoint', registered), await append('proxy', changed)];
    await vault.forget(accountId);
    streams.push(
      await append('proxy', changed),
      await append('session', event('SessionRequested', { accountId, label: 'late', metadata: {} })),
    );
    const read = await Promise.all(streams.map((stream) => dataAs(store, stream)));
    expect(read.flat()).to.deep.equal([
      { accountId, url: 'https://erased.invalid/', description: null },
      { accountId, changes: { host: 'erased.invalid', port: 1 } },
      { accountId, changes: { host: 'erased.invalid', port: 1 } },
      { accountId, label: null, metadata: {} },
    ]);
    const raw = await Promise.all(streams.map((stream) => dataAs(stored, stream)));
    expect(JSON.stringify(raw)).not.to.match(/ada\.example|Ada|late/);
  });

  it('seals for the account of the resource: the one in its data, else the account of the command', async () => {
    const [owner, buyer] = [newAccount(), newAccount()];
    const streams = [
      await append('webhook_endpoint', event('WebhookChanged', { description: 'Ada’s' }, owner)),
      await append(
        'profile',
        event('ProfileTransferred', { accountId: buyer, fromAccountId: owner, name: 'Ada' }, owner),
      ),
    ];
    await vault.forget(owner);
    const read = await Promise.all(streams.map((stream) => dataAs(store, stream)));
    expect(read.flat()).to.deep.equal([
      { description: null },
      { accountId: buyer, fromAccountId: owner, name: 'Ada' },
    ]);
  });

  it('takes no text of older events for a sealed one, whatever it looks like', async () => {
    const accountId = newAccount();
    const sealing = await append(
      'session',
      event('SessionRequested', { accountId, label: 'mine', metadata: {} }),
    );
    const [{ label } = { label: '' }] = (await dataAs(stored, sealing)) as { label: string }[];
    const data = { accountId, label, metadata: {} };
    const older = `session-${randomUUID()}`;
    await stored.append(older, 'no_stream', [event('SessionRequested', data)]);
    expect(await dataAs(store, older)).to.deep.equal([data]);
    const twice = await append('session', event('SessionRequested', data));
    expect(await dataAs(store, twice)).to.deep.equal([data]);
  });

  it('seals the states of snapshots, and gives none once the account is erased', async () => {
    const accountId = newAccount();
    const stream = `snapshot-webhook_endpoint-${randomUUID()}`;
    const data = { fingerprint: 'f', revision: '3', state: { accountId, url } };
    await store.append(stream, 'any', [event('StateSnapshot', data, accountId)]);
    expect(await dataAs(store, stream)).to.deep.equal([data]);
    expect(JSON.stringify(await dataAs(stored, stream))).not.to.contain('ada.example');
    await vault.forget(accountId);
    expect(await dataAs(store, stream)).to.deep.equal([{ ...data, state: null }]);
  });

  it('opens what a subscription delivers, in the order of the log, unless it is asked for as it is stored', async () => {
    const category = 'api_key';
    const accounts = Array.from({ length: 5 }, newAccount);
    const from = (await stored.head()) ?? 'start';
    const subscribed = { from, prefixes: [`${category}-`] } as const;
    for (const accountId of accounts)
      await append(category, event('ApiKeyRevoked', { accountId, name: `of ${accountId}` }));
    const names = async (options: Parameters<EventStore['subscribe']>[0]) => {
      const found: unknown[] = [];
      const subscription = store.subscribe(options);
      for await (const message of subscription) {
        if (message.kind === 'event') found.push((message.event.data as { name: string }).name);
        if (found.length === accounts.length) await subscription.close();
      }
      return found;
    };
    expect(await names(subscribed)).to.deep.equal(accounts.map((accountId) => `of ${accountId}`));
    for (const name of await names({ ...subscribed, asStored: true })) expect(name).to.match(/^personal1\./);
  });

  it('delivers an event that the vault cannot open without its data, and goes on with the next', async () => {
    const [lost, other] = [newAccount(), newAccount()];
    const from = (await stored.head()) ?? 'start';
    for (const accountId of [lost, other])
      await append('api_key', event('ApiKeyRevoked', { accountId, name: 'mine' }));
    await postgres.pool.query('delete from vault.data_keys where account_id = $1', [lost]);
    // As after a restore of an older vault, by a process that has no key in its cache.
    const restored = sealedStore(stored, createVault({ pool: postgres.pool, masterKeys }));
    const found: unknown[] = [];
    const subscription = restored.subscribe({ from, prefixes: ['api_key-'] });
    for await (const message of subscription) {
      if (message.kind === 'event') found.push(message.event.data);
      if (found.length === 2) await subscription.close();
    }
    expect(found).to.deep.equal([undefined, { accountId: other, name: 'mine' }]);
  });

  describe('a row of a read model', () => {
    it('is opened as a whole, and has an empty text where the account is erased', async () => {
      const accountId = newAccount();
      const data = { accountId, label: 'for Ada', metadata: { who: 'Ada' } };
      const stream = await append('session', event('SessionRequested', data));
      const [row] = await dataAs(stored, stream);
      const nested = { id: 'x', state: [row, 1n] };
      expect(await openRows(vault, [nested])).to.deep.equal([{ id: 'x', state: [data, 1n] }]);
      await vault.forget(accountId);
      const erased = { accountId, label: '', metadata: '' };
      expect(await openRows(vault, [nested])).to.deep.equal([{ id: 'x', state: [erased, 1n] }]);
    });

    it('keeps a text that only looks sealed, and one that was sealed for something else', async () => {
      const accountId = newAccount();
      const secret = await vault.seal(accountId, 'email', '"ada@example.com"');
      const texts = ['personal1.', 'personal1.x.y', `personal1.${accountId.slice(4)}.${secret}`, secret];
      expect(await openRows(vault, [{ texts }])).to.deep.equal([{ texts }]);
    });
  });

  it('opens what was sealed by the first version of its form', async () => {
    const owner = 'acc_0197f1a0-0000-7000-8000-000000000002';
    const key = Buffer.from('000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f', 'hex');
    await postgres.pool.query(
      'insert into vault.data_keys (account_id, master_key, wrapped) values ($1, $2, $3)',
      [owner, 'master:1', Buffer.from(goldenKey, 'base64url')],
    );
    const old = createVault({ pool: postgres.pool, masterKeys: createMasterKeys([key]) });
    expect(await openRows(old, [{ label: golden }])).to.deep.equal([{ label: 'for Ada' }]);
  });
});

const goldenKey = 'Wj3_eO301zFHtAOggyHzS6sgsrE0vhYpqTrnMWA4a3oGJ1ujNWzt82cs-qZ-Cp_wsDvJwdj95p6FrjHH';
const golden =
  'personal1.0197f1a0-0000-7000-8000-000000000002.sealed1.nAcfWsQNBT5WBaRe2XHe-jml4TsXoB88-y_ejd8-c3tjBBymkw';
