import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { DomainEvent } from '../../contracts/events/catalogue.ts';
import { uuidOf } from '../../contracts/ids.ts';
import { envelopes } from '../../contracts/webhooks/envelope.ts';
import { envelopeIdOf } from '../../contracts/webhooks/envelope.ts';
import { accountEventOf } from './account-event.ts';
import {
  aKey,
  aSession,
  anAccount,
  at,
  by,
  destroyed,
  recorded,
  requested,
  sessionStream,
  startReadSide,
  type ReadSide,
} from '../testing/index.ts';
import { listParked } from '../index.ts';
import { aWebhook, endpointEvents, webhookStream } from '../testing/webhooks.ts';

/** One event of every type of sessions, keys and orders. */
function goldenEvents(): DomainEvent[] {
  const golden = new URL('../../infra/event-store/golden/', import.meta.url);
  return ['session', 'api_key', 'order'].flatMap((category) =>
    readdirSync(new URL(category, golden)).map(
      (file) => JSON.parse(readFileSync(new URL(`${category}/${file}`, golden), 'utf8')) as DomainEvent,
    ),
  );
}

describe("an account's events", () => {
  let side: ReadSide;
  const account = anAccount();
  beforeEach(async () => {
    side = await startReadSide();
    side.project();
  });
  afterEach(() => side.close());

  const stored = async (owner = account) => {
    await side.caughtUp();
    return side.rows(
      `select id, type, stream, revision, body from read_model.account_events where account_id = $1
       order by commit_position, prepare_position`,
      [owner],
    );
  };
  const end = (owner = account, data?: unknown) => {
    const session = aSession();
    const last = data === undefined ? destroyed(session) : { type: 'SessionDestroyed', data };
    return side.append(sessionStream(session), [last], by(owner));
  };

  it('include every announced kind, except the ping of a test', () => {
    const announced = goldenEvents().flatMap((event) => {
      const row = accountEventOf(recorded('session-1', event, by(account)));
      return row === undefined ? [] : [row.type];
    });
    const kinds = Object.keys(envelopes).filter((type) => type !== 'test.ping');
    expect(new Set(announced)).to.deep.equal(new Set(kinds));
  });

  it('equal the bodies of deliveries, byte for byte, in the order of the log', async () => {
    const [session, key, webhook] = [aSession(), aKey(), aWebhook()];
    const keyStream = `api_key-${uuidOf(key)}`;
    const revoked = { apiKeyId: key, accountId: account, name: 'a "key"', by: 'owner', at };
    await side.append(keyStream, [{ type: 'ApiKeyRevoked', data: revoked }], by(account));
    await side.append(webhookStream(webhook), [endpointEvents.WebhookTestRequested()], by(account));
    await side.append(sessionStream(session), [requested(session, account), destroyed(session)], by(account));

    const rows = await stored();
    expect(rows.map(({ type, stream, revision }) => [type, stream, revision])).to.deep.equal([
      ['api_key.revoked', keyStream, '0'],
      ['session.completed', sessionStream(session), '1'],
    ]);
    for await (const { id, type } of side.store.readAll()) {
      if (type !== 'SessionDestroyed') continue;
      const envelope = { id: envelopeIdOf(id), type: 'session.completed', created_at: at };
      const data = { session_id: session, duration_ms: 5 };
      expect(rows[1]).to.include({ id: envelope.id, body: JSON.stringify({ ...envelope, data }) });
    }
  });

  it('wait behind a parked one, so that readers of the feed miss none', async () => {
    const other = anAccount();
    await end();
    await end(account, null);
    await end();
    await end(other);
    expect(await stored()).to.have.length(1);
    expect(await stored(other)).to.have.length(1);
    const parked = (await listParked(side.postgres.pool)).filter((each) => each.row === account);
    expect(
      parked.map(({ projection }) => projection).filter((name) => name === 'account_events'),
    ).to.have.length(2);
  });

  it('appear once, even if one was stored twice', async () => {
    const [one, other] = [aSession(), aSession()];
    await side.append(sessionStream(one), [destroyed(one)], by(account));
    for await (const { id, type, data, metadata } of side.store.readStream(sessionStream(one)))
      await side.store.append(sessionStream(other), 'any', [{ id, type, data, metadata }]);
    expect((await stored()).map(({ stream }) => stream)).to.deep.equal([sessionStream(one)]);
    const parked = await listParked(side.postgres.pool);
    expect(parked.map(({ projection }) => projection)).to.not.include('account_events');
  });
});
