import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { SignJWT } from 'jose';
import { toId } from '../../contracts/ids.ts';
import { createAccessTokens, newPrivateKey, signedUntilMs } from './access-tokens.ts';

const claims = { webSessionId: toId('webSession', randomUUID()), accountId: toId('account', randomUUID()) };

/** Keys in memory, shared by several processes. */
function sharedKeys() {
  const kept: { id: string; secret: Buffer; addedAt: number }[] = [];
  let now = 0;
  const add = (secret: Buffer) => void kept.push({ id: randomUUID(), secret, addedAt: now });
  const all = async () =>
    kept.map(({ addedAt: _, ...key }, at) => {
      const next = kept[at + 1];
      return { ...key, createdAt: new Date(0), supersededMs: next === undefined ? null : now - next.addedAt };
    });
  return {
    add,
    all,
    now: () => now,
    advance: (ms: number) => void (now += ms),
    drop: () => void kept.splice(0, kept.length - 1),
    findOrCreate: async (make: () => Buffer) => {
      if (kept.length === 0) add(make());
      return all();
    },
  };
}

describe('an access token', () => {
  let now = Date.parse('2026-01-05T12:00:00.000Z');
  const clock = { now: () => new Date(now) };
  const keys = sharedKeys();
  const processOf = () => createAccessTokens({ keys, clock, accessMs: 900_000 });
  const one = processOf();

  it('is read by every process that has the keys', async () => {
    const text = await one.access(claims);
    expect(await processOf().readAccess(text)).to.deep.equal(claims);
    expect(await one.readAccess(text)).to.deep.equal(claims);
  });

  it('is signed and read for many at once, as the first thing that a process does', async () => {
    const [signing, reading] = [processOf(), processOf()];
    const texts = await Promise.all(Array.from({ length: 5 }, () => signing.access(claims)));
    const readings = await Promise.all(texts.map((text) => reading.readAccess(text)));
    expect(readings).to.deep.equal(texts.map(() => claims));
  });

  it('is signed, and read, as soon as the keys can be read again after they could not', async () => {
    const outage = { isOver: false };
    const findOrCreate: typeof keys.findOrCreate = (make) =>
      outage.isOver ? keys.findOrCreate(make) : Promise.reject(new Error('Postgres is away.'));
    const cutOff = () => createAccessTokens({ keys: { ...keys, findOrCreate }, clock, accessMs: 900_000 });
    const [signing, reading] = [cutOff(), cutOff()];
    const text = await one.access(claims);
    const outcomes = await Promise.allSettled([signing.access(claims), reading.readAccess(text)]);
    expect(outcomes.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected']);
    outage.isOver = true;
    expect(await reading.readAccess(text)).to.deep.equal(claims);
    expect(await one.readAccess(await signing.access(claims))).to.deep.equal(claims);
  });

  it('expires, whether it was read before or not', async () => {
    const [read, unread] = [await one.access(claims), await one.access(claims)];
    await one.readAccess(read);
    now += 900_000;
    expect(await one.readAccess(read)).to.equal('expired');
    expect(await one.readAccess(unread)).to.equal('expired');
  });

  it('goes on being read after a key was added', async () => {
    const text = await one.access(claims);
    keys.add((await keys.findOrCreate(() => Buffer.alloc(0)))[0]?.secret ?? Buffer.alloc(0));
    expect(await processOf().readAccess(text)).to.deep.equal(claims);
  });

  it('is signed by a key that was added within a minute, and read until the last token of the one before it ends', async () => {
    const shared = sharedKeys();
    const options = { keys: shared, clock, accessMs: 900_000, now: shared.now };
    const [signing, reading] = [createAccessTokens(options), createAccessTokens(options)];
    const keyIdOf = (text: string): unknown =>
      (JSON.parse(Buffer.from(text.split('.')[0] ?? '', 'base64url').toString()) as { kid: unknown }).kid;
    const first = await signing.access(claims);
    await reading.readAccess(first);
    shared.add(newPrivateKey());
    shared.advance(60_000);
    const second = await signing.access(claims);
    expect(keyIdOf(second)).not.to.equal(keyIdOf(first));
    for (const text of [first, second]) expect(await reading.readAccess(text)).to.deep.equal(claims);
    shared.advance(signedUntilMs(900_000) - 60_001);
    expect(await reading.readAccess(first)).to.deep.equal(claims);
    shared.advance(1);
    // Its own expiry, which a key's thief may have chosen, has not passed; the key's has.
    expect(await reading.readAccess(first)).to.equal('malformed');
    expect(await reading.readAccess(second)).to.deep.equal(claims);
  });

  it('is refused within a minute of its key being dropped, although it was read before', async () => {
    const shared = sharedKeys();
    const tokens = createAccessTokens({ keys: shared, clock, accessMs: 900_000, now: shared.now });
    const text = await tokens.access(claims);
    expect(await tokens.readAccess(text)).to.deep.equal(claims);
    shared.add(newPrivateKey());
    shared.drop();
    shared.advance(60_000);
    await tokens.readAccess(text);
    await new Promise(setImmediate);
    expect(await tokens.readAccess(text)).to.equal('malformed');
  });

  it('is malformed after any change, by another key, without a signature, or for another purpose', async () => {
    const text = await one.access(claims);
    const [head = '', body = '', signature = ''] = text.split('.');
    const forged = await new SignJWT({ sid: claims.webSessionId })
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuer('service')
      .setAudience('access')
      .setSubject(claims.accountId)
      .setExpirationTime('1h')
      .sign(Buffer.alloc(32, 1));
    const firstFactor = { accountId: claims.accountId, epoch: 3 };
    const unsigned = Buffer.from('{"alg":"none"}').toString('base64url');
    const other = createAccessTokens({ keys: sharedKeys(), clock, accessMs: 900_000 });
    for (const wrong of [
      // Not the last byte, which is zero in one of sixteen signatures.
      `${head}.${body}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`,
      `${unsigned}.${body}.`,
      `${head}.${Buffer.from('{"sub":"acc_x"}').toString('base64url')}.${signature}`,
      forged,
      await other.access(claims),
      await one.secondFactor(firstFactor),
    ])
      expect(await one.readAccess(wrong), wrong).to.equal('malformed');
    expect(await one.readSecondFactor(text)).to.equal('malformed');
    expect(await one.readSecondFactor(await one.secondFactor(firstFactor))).to.deep.equal(firstFactor);
  });
});
