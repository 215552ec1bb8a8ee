import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { SignJWT } from 'jose';
import { toId } from '../../contracts/ids.ts';
import { createAccessTokens } from './access-tokens.ts';

const claims = { webSessionId: toId('webSession', randomUUID()), accountId: toId('account', randomUUID()) };

/** Keys in memory, as several processes share them. */
function sharedKeys() {
  const kept: { id: string; secret: Buffer }[] = [];
  const add = (secret: Buffer) => void kept.push({ id: randomUUID(), secret });
  return {
    add,
    all: async () => kept,
    findOrCreate: async (make: () => Buffer) => {
      if (kept.length === 0) add(make());
      return [...kept];
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
      // Not its last byte, which is zero in one signature of sixteen.
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
