import { expect } from 'chai';
import { request } from 'undici';
import { publicLeafHash } from '../../../contracts/audit/public-leaf.ts';
import { consistencyProof } from '../../../contracts/audit/tree.ts';
import {
  readCheckpoint,
  verifyAnchor,
  verifyCheckpoint,
  verifyConsistency,
  type Anchor,
  type Consistency,
} from '../../../contracts/audit/verify.mjs';
import { publicTreeRows } from '../../../projections/queries/public-tree.ts';
import { rebuildProjection, verifyProjection } from '../../../projections/index.ts';
import { outcomeOf } from '../../../read-api/testing.ts';
import { startAnchoringWorld, type AnchoringWorld } from './anchoring-world.ts';

const accountCount = 3;

describe('the public tree', function () {
  this.timeout(300_000);
  let world: AnchoringWorld;
  before(async () => (world = await startAnchoringWorld(accountCount)));
  after(() => world.api.close());

  const raw = async (path: string) => {
    const { statusCode, headers, body } = await request(
      `http://127.0.0.1:${world.api.port}/.well-known/audit-log/${path}`,
    );
    return { status: statusCode, headers, bytes: Buffer.from(await body.arrayBuffer()) };
  };
  const vkeys = async () => (await world.api.noteKeys.list()).map(({ vkey }) => vkey);
  const read = (path: string, index = 0) =>
    world.api.call(`GET /v1/account/audit-log/${path}`, { token: world.accounts[index]?.key.text ?? '' });
  const anchorOf = async (index: number) => (await read('anchor', index)).json as unknown as Anchor;
  const notes = async () =>
    (await world.events()).flatMap((event) => (event.type === 'PublicHeadSigned' ? [event.data] : []));
  const leafHashes = async () =>
    (await world.events()).flatMap((event) =>
      event.type === 'HeadsAnchored' ? event.data.leaves.map(publicLeafHash) : [],
    );

  /** All notes have different sizes, are signed, and each tree extends the previous one. */
  const assertNeverContradicted = async () => {
    const signed = await notes();
    const keys = await vkeys();
    expect(new Set(signed.map(({ size }) => size)).size).to.equal(signed.length);
    const rows = publicTreeRows(world.api.postgres.pool);
    for (const [index, { note, size, root }] of signed.entries()) {
      expect(verifyCheckpoint(note, keys)).to.deep.equal({ origin: 'service.example/audit', size, root });
      const before = signed[index - 1];
      if (before === undefined) continue;
      const { path, root: to, fromRoot } = await consistencyProof(rows, before.size, size);
      const proof = {
        ...{ from: before.size, to: size, from_root: before.root, to_root: root },
        proof: path.map((hash) => hash.toString('base64')),
      };
      expect([fromRoot, to].map((hash) => hash.toString('base64'))).to.deep.equal([before.root, root]);
      expect(verifyConsistency(proof), `${before.size} to ${size}`).to.equal(true);
    }
  };

  it('is empty before the first anchoring, and says so', async () => {
    expect((await raw('checkpoint')).status).to.equal(404);
    expect((await raw('tile/0/000.p/1')).status).to.equal(404);
    const answer = await read('anchor');
    expect(outcomeOf(answer)).to.equal('not-found');
    expect(answer.json.detail).to.match(/not in the public tree yet/);
  });

  it('has the head of every account, which its owner can prove with the verifier', async () => {
    await world.round();
    const checkpoint = await raw('checkpoint');
    expect(checkpoint.headers['content-type']).to.equal('text/plain; charset=utf-8');
    for (const [index, { account }] of world.accounts.entries()) {
      const anchor = await anchorOf(index);
      expect(anchor.checkpoint).to.equal(checkpoint.bytes.toString());
      expect(verifyAnchor(anchor, await vkeys(), account)).to.deep.equal({ ok: true });
      expect(verifyAnchor(anchor, await vkeys(), 'acc_other')).to.include({ ok: false });
    }
  });

  it('leads from an older head of an account to the anchored one', async () => {
    const older = await anchorOf(0);
    await world.change();
    await world.round();
    const newer = await anchorOf(0);
    expect(newer.leaf.size).to.be.above(older.leaf.size);
    const { json } = await read(`consistency?from=${older.leaf.size}&to=${newer.leaf.size}`);
    expect(json).to.include({ from_root: older.leaf.root, to_root: newer.leaf.root });
    expect(verifyConsistency(json as unknown as Consistency)).to.equal(true);
  });

  it('is served in tiles from which anyone can compute the root', async () => {
    const { size } = readCheckpoint((await raw('checkpoint')).bytes.toString());
    const tile = await raw(`tile/0/000.p/${size}`);
    expect(tile.headers).to.include({
      'content-type': 'application/octet-stream',
      'cache-control': 'public, max-age=3600, immutable',
    });
    expect(tile.bytes.equals(Buffer.concat(await leafHashes()))).to.equal(true);
    for (const path of [
      `0/000.p/${size + 1}`,
      '0/000',
      '1/000.p/1',
      '0/001.p/1',
      '0/x000/000.p/1',
      '64/000',
      'x/000',
    ])
      expect((await raw(`tile/${path}`)).status, path).to.equal(404);
  });

  it('names no account, and no count of entries', async () => {
    const shown = [await raw('checkpoint'), await raw(`tile/0/000.p/${(await leafHashes()).length}`)];
    const text = shown.map(({ bytes, headers }) => bytes.toString('latin1') + JSON.stringify(headers)).join();
    for (const { account } of world.accounts) expect(text).not.to.contain(account);
    for (const index of world.accounts.keys()) {
      const { leaf, salt } = await anchorOf(index);
      for (const secret of [leaf.pseudonym, leaf.root, salt]) expect(text).not.to.contain(secret);
    }
  });

  it('survives kill -9 of the anchoring process, between its leaves, before its head is kept, and before its event', async () => {
    for (const step of [2, 3, 4]) {
      await world.change();
      expect(await world.killedBefore(step)).to.equal(true);
      await world.round();
      for (const index of world.accounts.keys())
        expect(verifyAnchor(await anchorOf(index), await vkeys()), `step ${step}`).to.deep.equal({
          ok: true,
        });
    }
    await assertNeverContradicted();
  });

  it('goes on, without a contradiction, with a clock that is an hour behind', async () => {
    await world.change();
    const before = (await notes()).at(-1);
    expect(await world.killedBefore(undefined, -3_600_000)).to.equal(false);
    await world.round();
    const after = (await notes()).at(-1);
    expect(after?.size).to.be.above(before?.size ?? 0);
    expect(Date.parse(after?.at ?? '')).to.be.below(Date.parse(before?.at ?? ''));
    await assertNeverContradicted();
  });

  it('stays one tree when two processes anchor at once', async () => {
    await world.change();
    await Promise.allSettled([world.round(), world.killedBefore(), world.round()]);
    await world.round();
    expect(new Set((await leafHashes()).map(String)).size).to.equal((await leafHashes()).length);
    await assertNeverContradicted();
  });

  it('keeps the leaves of an erased account, and adds none', async () => {
    const [{ account }] = world.accounts as [AnchoringWorld['accounts'][0]];
    const before = (await leafHashes()).length;
    await world.change();
    await world.api.vault.forget(account);
    await world.round();
    const added = (await leafHashes()).length - before;
    expect(added).to.equal(accountCount - 1);
    expect(verifyAnchor(await anchorOf(1), await vkeys())).to.deep.equal({ ok: true });
  });

  it('is the same after a rebuild, byte for byte', async () => {
    const options = { store: world.api.store, pool: world.api.postgres.pool };
    const [checkpoint, tile] = ['checkpoint', `tile/0/000.p/${(await leafHashes()).length}`] as const;
    const before = [await raw(checkpoint), await raw(tile)].map(({ bytes }) => bytes.toString('latin1'));
    for (const name of ['public_leaves', 'public_heads']) {
      expect(await verifyProjection(name, options)).to.include({ matches: true });
      await rebuildProjection(name, options);
    }
    const after = [await raw(checkpoint), await raw(tile)].map(({ bytes }) => bytes.toString('latin1'));
    expect(after).to.deep.equal(before);
  });
});
