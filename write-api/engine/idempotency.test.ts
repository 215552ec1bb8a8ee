import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { testLimits } from '../../commands/session/testing.ts';
import { WrongExpectedRevision } from '../../infra/event-store/client/types.ts';
import { movableClock, startWriteSide, type WriteSide } from '../testing.ts';

describe('an idempotency key on session create', () => {
  const clock = movableClock();
  /** The category of streams in which another writer is always faster. */
  let contended: string | undefined;
  let side: WriteSide;
  let account: Awaited<ReturnType<WriteSide['staff']['account']>>;
  before(async () => {
    side = await startWriteSide({
      clock,
      driver: { waits: { launch: () => delay(100) } },
      config: { SLOT_LEASE: 60_000 },
      throughStore: (store) => ({
        ...store,
        append: async (stream, ...rest) => {
          if (contended !== undefined && stream.startsWith(`${contended}-`))
            throw new WrongExpectedRevision(stream, null);
          return store.append(stream, ...rest);
        },
      }),
    });
  });
  after(() => side.close());
  beforeEach(async () => {
    account = await side.staff.account('enterprise');
  });

  const create = (key: string, body: object = { label: 'a' }, token = account.token) =>
    side.call('POST /v1/sessions', { token, body, headers: { 'idempotency-key': key } });
  const launches = (id: unknown) =>
    side.driverLog().filter((each) => each.action === 'launch' && each.session_id === id).length;

  it('replays the stored answer byte for byte and says so', async () => {
    const first = await create('one');
    const again = await create('one');
    expect([first.status, again.status]).to.deep.equal([201, 201]);
    expect(again.text).to.equal(first.text);
    expect(first.headers).not.to.have.property('idempotency-replayed');
    expect(again.headers['idempotency-replayed']).to.equal('true');
    expect(again.headers['content-type']).to.equal(first.headers['content-type']);
    expect(launches(first.json.id)).to.equal(1);
  });

  it('runs once of many at the same time; the others get 409 with Retry-After, or the answer', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => create('race')));
    const made = answers.filter(({ status }) => status === 201);
    const waiting = answers.filter(({ status }) => status === 409);
    expect(made.length + waiting.length).to.equal(10);
    expect(new Set(made.map(({ text }) => text)).size).to.equal(1);
    for (const { headers } of waiting) expect(headers['retry-after']).to.equal('1');
    expect(launches(made[0]?.json.id)).to.equal(1);
    expect((await create('race')).text).to.equal(made[0]?.text);
  });

  it('refuses another body with 409 and no Retry-After', async () => {
    await create('body', { label: 'a', metadata: { x: 1, y: 2 } });
    const other = await create('body', { label: 'b' });
    expect(other.status).to.equal(409);
    expect(other.headers).not.to.have.property('retry-after');
    const reordered = await create('body', { metadata: { y: 2, x: 1 }, label: 'a' });
    expect(reordered.status).to.equal(201);
  });

  it('counts the fields that the service knows, and no others', async () => {
    const first = await create('known', { label: 'a', sdk: '1' });
    for (const body of [{ label: 'a' }, { label: 'a', sdk: '2', more: {} }, { label: 'a', '\ud83d': '\0' }]) {
      const again = await create('known', body);
      expect([again.status, again.text]).to.deep.equal([201, first.text]);
      expect(again.headers['idempotency-replayed']).to.equal('true');
    }
    expect(first.headers['x-service-unknown-fields']).to.equal('sdk');
    expect((await create('known', { label: 'b', sdk: '1' })).status).to.equal(409);
  });

  it('is the account’s: another key of the account replays, another account does not', async () => {
    const first = await create('shared');
    const second = await side.staff.token(account.accountId, ['write']);
    expect((await create('shared', { label: 'a' }, second)).text).to.equal(first.text);
    const stranger = await side.staff.account('team');
    expect((await create('shared', { label: 'a' }, stranger.token)).json.id).not.to.equal(first.json.id);
  });

  it('is free again after a refusal that is not kept', async () => {
    const wrong = await create('free', { archetype: 'pager-1' });
    expect(wrong.status).to.equal(400);
    expect((await create('free')).status).to.equal(201);
    const single = await side.staff.account('personal');
    const { json } = await create('slot-1', {}, single.token);
    expect((await create('slot-2', {}, single.token)).status).to.equal(429);
    await side.call(`DELETE /v1/sessions/${String(json.id)}`, { token: single.token });
    expect((await create('slot-2', {}, single.token)).status).to.equal(201);
  });

  it('replays a refusal that is kept', async () => {
    const first = await create('profile', { profile_id: 'prof_x' });
    const again = await create('profile', { profile_id: 'prof_x' });
    expect([first.status, again.status]).to.deep.equal([404, 404]);
    expect(again.text).to.equal(first.text);
    expect(again.headers['content-type']).to.equal('application/problem+json');
  });

  it('stands for its request for 24 hours', async () => {
    const first = await create('day');
    clock.advance(24 * 3_600_000 - 60_000);
    expect((await create('day')).json.id).to.equal(first.json.id);
    clock.advance(60_000);
    expect((await create('day', { label: 'another' })).json.id).not.to.equal(first.json.id);
  });

  it('must be 1 to 255 visible characters', async () => {
    expect((await create('x'.repeat(255))).status).to.equal(201);
    for (const bad of ['x'.repeat(256), 'a b']) expect((await create(bad)).status).to.equal(400);
  });

  it('answers from the session’s own stream when the process died before keeping the answer', async () => {
    const first = await create('lost');
    await admitAgain(String(first.json.id));
    const other = await side.serve();
    const again = await other.call('POST /v1/sessions', {
      token: account.token,
      body: { label: 'a' },
      headers: { 'idempotency-key': 'lost' },
    });
    expect(again.status).to.equal(201);
    expect(again.text).to.equal(first.text);
    expect(launches(first.json.id)).to.equal(1);
    await other.close();
  });

  it('runs anew once the first request has surely died without effect, and not before', async () => {
    await create('dead');
    await admitAgain(`ses_${randomUUID()}`);
    const refused = await create('dead');
    expect([refused.status, refused.headers['retry-after']]).to.deep.equal([409, '1']);
    // A create may wait for its profile before it reserves a slot.
    const { slotLeaseMs, profileWaitMs } = testLimits;
    clock.advance(slotLeaseMs + profileWaitMs);
    expect((await create('dead')).status).to.equal(201);
  });

  it('does not keep a refusal that asks to send the request again', async () => {
    contended = 'session';
    const refused = await create('contended');
    contended = undefined;
    expect([refused.status, refused.headers['retry-after']]).to.deep.equal([409, '1']);
    expect(refused.json.detail).to.match(/Send it again/);
    const { slotLeaseMs, profileWaitMs } = testLimits;
    clock.advance(slotLeaseMs + profileWaitMs);
    const again = await create('contended');
    expect([again.status, again.headers['idempotency-replayed']]).to.deep.equal([201, undefined]);
  });

  it('leaves neither the answer nor a digest to try guesses on in the log', async () => {
    const body = { label: 'a label of Ada Lovelace' };
    const { text } = await create('sealed', body);
    const [admitted, settled] = (await side.allEvents())
      .filter(({ type }) => type.startsWith('Receipt'))
      .slice(-2);
    const logged = JSON.stringify([admitted, settled].map((event) => event?.data));
    expect([admitted?.type, settled?.type]).to.deep.equal(['ReceiptAdmitted', 'ReceiptSettled']);
    expect(logged).not.to.contain('Ada Lovelace');
    expect(logged).not.to.contain(createHash('sha256').update(JSON.stringify(body)).digest('hex'));
    expect((await create('sealed', body)).text).to.equal(text);
  });

  it('does nothing for an account whose data key is destroyed: its answer could not be kept', async () => {
    await side.vault.forget(account.accountId);
    const refused = await create('erased');
    expect(refused.status).to.equal(401);
    const types = (await side.allEvents())
      .filter(({ metadata }) => metadata.actor.account_id === account.accountId)
      .map(({ type }) => type);
    expect(types).not.to.include.members(['ReceiptAdmitted']);
    expect(types).not.to.include.members(['SessionRequested']);
  });

  it('replays what was answered before answers were sealed', async () => {
    // At that time the digest included ignored fields, such as `sdk`.
    const body = { label: 'older', sdk: '1' };
    await create('older', body);
    const [admitted] = (await side.allEvents()).filter(({ type }) => type === 'ReceiptAdmitted').slice(-1);
    if (!admitted) throw new Error('no receipt yet');
    const { digest: _, ...facts } = admitted.data as { readonly digest: string };
    const bodyHash = createHash('sha256').update(JSON.stringify(body)).digest('hex');
    const at = clock.now().toISOString();
    const answer = { status: 201, contentType: 'application/json', body: '{"id":"ses_older"}', at };
    const metadata = { ...admitted.metadata, schema_version: 1 };
    const revision = BigInt((await side.events(admitted.stream)).length - 1);
    await side.store.append(admitted.stream, revision, [
      { id: randomUUID(), type: 'ReceiptAdmitted', data: { ...facts, bodyHash }, metadata },
      { id: randomUUID(), type: 'ReceiptSettled', data: answer, metadata },
    ]);
    expect((await create('older', body)).text).to.equal(answer.body);
    expect((await create('older', { label: 'another' })).status).to.equal(409);
  });

  /** Leaves the latest receipt as a process killed before it stored the answer does: admitted. */
  async function admitAgain(resourceId: string): Promise<void> {
    const admitted = (await side.allEvents()).findLast(({ type }) => type === 'ReceiptAdmitted');
    if (!admitted) throw new Error('no receipt yet');
    const { stream, metadata } = admitted;
    const data = { ...Object(admitted.data), resourceId, at: clock.now().toISOString() } as object;
    const revision = BigInt((await side.events(stream)).length - 1);
    await side.store.append(stream, revision, [
      { id: randomUUID(), type: 'ReceiptAdmitted', data, metadata },
    ]);
  }
});
