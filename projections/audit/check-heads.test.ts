import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { loadConfig } from '../../infra/config/index.ts';
import {
  aSession,
  destroyed,
  recorded,
  sessionStream,
  startReadSide,
  type ReadSide,
} from '../testing/index.ts';
import { signedLog, type SignedLog } from '../testing/signed-log.ts';
import { checkSignedHeads } from './check-heads.ts';
import { markHeadRecorded, signingStop } from './guard.ts';
import { SigningStopped, type HeadSigner } from './signing.ts';

describe('the check of signed heads of audit logs', () => {
  const config = loadConfig({ MASTER_KEY: randomBytes(32).toString('base64') });
  let side: ReadSide;
  let log: SignedLog;
  let sign: HeadSigner;
  before(async () => {
    side = await startReadSide();
    side.project();
  });
  after(() => side.close());
  beforeEach(async () => {
    log = await signedLog(side, config);
    ({ sign } = log.opened());
  });

  const stop = () => signingStop(side.postgres.pool, '');

  it('stops the signing in every process while entries of a signed head are missing', async () => {
    const { size } = await sign(log.account);
    expect(await log.check()).to.equal(null);
    await log.lose(size - 1);
    const reason = await log.check();
    expect(reason).to.contain('shorter than what was signed');
    expect(await stop()).to.equal(reason);
    for (const signer of [sign, log.opened().sign])
      expect(await signer(log.account).catch((error: unknown) => error)).to.be.instanceOf(SigningStopped);
  });

  it('does not judge a shorter log while the read models are behind the event log, as after a restore', async () => {
    const { size } = await sign(log.account);
    await log.lose(size - 1);
    const event = recorded(sessionStream(aSession()), destroyed(aSession()));
    const ahead = { ...event, position: { commit: 10n ** 12n, prepare: 10n ** 12n } };
    const store = {
      ...side.store,
      async *readAll() {
        yield ahead;
      },
    };
    const checked = { pool: side.postgres.pool, store, log: '', publicHead: async () => null, catchUpMs: 0 };
    expect(await checkSignedHeads(checked).catch(String)).to.contain('The read models are behind');
    expect(await stop()).to.equal(null);
    expect(await log.check()).to.contain('shorter than what was signed');
  });

  it('stops the signing while the entries differ, until they are restored', async () => {
    const signed = await sign(log.account);
    const hashOfLast = (change: string) =>
      side.rows(
        `update read_model.audit_log set hash = ${change} where account_id = $1 and sequence = $2::integer`,
        [log.account, signed.size],
      );
    await hashOfLast('reverse(hash)');
    expect(await log.check()).to.contain('other than what was signed');
    await hashOfLast('reverse(hash)');
    expect(await log.check()).to.equal(null);
    expect((await sign(log.account)).note).to.equal(signed.note);
  });

  it('stops the signing while the event log lacks a recorded note, even if the read models are complete', async () => {
    await markHeadRecorded(side.postgres.pool, { ...(await sign(log.account)), accountId: log.account });
    expect(await log.check()).to.contain('The log lacks a note');
  });

  it('stops the signing while the event log does not lead to the signed public head', async () => {
    const reason = 'The log does not lead to the public head.';
    expect(await log.check('', async () => reason)).to.equal(reason);
    expect(await sign(log.account).catch((error: unknown) => error)).to.be.instanceOf(SigningStopped);
    expect(await log.check()).to.equal(null);
    expect((await sign(log.account)).size).to.equal(await log.entries());
  });
});
