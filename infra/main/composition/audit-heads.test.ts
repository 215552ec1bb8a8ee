import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { createRunner } from '../../../commands/engine/runner.ts';
import { verifyCheckpoint } from '../../../contracts/audit/verify.mjs';
import type { AuditHeadEvent } from '../../../contracts/events/audit-head.ts';
import { uuidOf } from '../../../contracts/ids.ts';
import type { DataOf } from '../../../domain/kit/decider.ts';
import { SigningStopped } from '../../../projections/audit/signing.ts';
import { signingStop } from '../../../projections/audit/guard.ts';
import { logger, startReadSide, type ReadSide } from '../../../projections/testing/index.ts';
import { signedLog, type SignedLog } from '../../../projections/testing/signed-log.ts';
import { loadConfig } from '../../config/index.ts';
import { HeadUnreadable } from '../../notes/kept-head.ts';
import { systemClock } from '../../platform/clock.ts';
import { tempDir, until } from '../../verification/testbed/index.ts';
import { runService } from '../../verification/testbed/service.ts';
import { operatorOf } from '../cli/testing.ts';
import { heads } from '../doctor/parts.ts';
import { anchoringProcesses, openAnchoring } from './anchoring.ts';
import { auditSigningCheck } from './audit-heads.ts';

const program = fileURLToPath(new URL('./testing/signing-process.ts', import.meta.url));

describe('the signer of heads of audit logs', () => {
  let side: ReadSide;
  let environment: ReturnType<typeof operatorOf>;
  let audited: SignedLog;
  const children = new Set<ReturnType<typeof fork>>();
  before(async () => {
    side = await startReadSide();
    environment = operatorOf(side);
    side.project();
  });
  after(() => side.close());
  beforeEach(async () => {
    audited = await signedLog(side, loadConfig(environment));
  });
  afterEach(() => Promise.all([...children].map(kill)));

  const opened = () => ({ ...audited.opened(), config: loadConfig(environment), pool: side.postgres.pool });
  const start = (killed = '') => {
    const env = { ...environment, KILLED: killed };
    const child = fork(program, [], { env, execArgv: ['--import', 'tsx'] });
    children.add(child);
    return child;
  };
  const kill = async (child: ReturnType<typeof fork>) => {
    children.delete(child);
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  const round = (child: ReturnType<typeof fork>) => once(child, 'message');
  const recordedHeads = async () => {
    const heads: DataOf<AuditHeadEvent, 'AuditHeadSigned'>[] = [];
    for await (const { data } of side.store.readStream(`audit_head-${uuidOf(audited.account)}`))
      heads.push(data as DataOf<AuditHeadEvent, 'AuditHeadSigned'>);
    return heads;
  };

  it('records one note for each size, also if it is killed before or after its append, or runs twice at once', async () => {
    for (const moment of ['before', 'after']) {
      const killed = start(moment);
      await once(killed, 'exit');
      expect(killed.signalCode).to.equal('SIGKILL');
      children.delete(killed);
      // A signed, unrecorded size gets the same note, although the log has grown meanwhile.
      if (moment === 'before') await audited.aChange();
    }
    const [one, other] = [start(), start()];
    await Promise.all([round(one), round(other)]);
    await audited.aChange();
    await until(async () => (await recordedHeads()).at(-1)?.size === (await audited.entries()));
    await Promise.all([round(one), round(other)]);

    const heads = await recordedHeads();
    const sizes = heads.map(({ size }) => size);
    expect(sizes).to.deep.equal([...new Set(sizes)].sort((a, b) => a - b));
    const vkeys = (await opened().noteKeys.list()).map(({ vkey }) => vkey);
    for (const { note, size, root } of heads)
      expect(verifyCheckpoint(note, vkeys)).to.include({ size, root });
  });

  it('anchors nothing while entries of a signed head are missing, also if the signer has not begun', async () => {
    const { sign, config: given, pool, vault } = opened();
    const config = { ...given, DATA_DIR: tempDir('data'), ANCHOR_INTERVAL: 1 };
    const runner = createRunner({ store: side.store, logger, cacheEntries: 10 });
    const ports = { config, pool, vault, runner, logger, clock: systemClock, record: side.store };
    const anchored = async () => {
      await side.caughtUp();
      const { signal } = new AbortController();
      for (const { run } of anchoringProcesses(ports).sweeps) await run(signal);
      return readFileSync(join(config.DATA_DIR, 'public-head.json'), 'utf8');
    };
    const before = await anchored();
    await audited.aChange();
    await sign(audited.account);
    expect(await anchored()).not.to.equal(before);
    const { size } = await sign(audited.account);
    const signed = await anchored();
    await audited.lose(size - 1);
    expect(await anchored()).to.equal(signed);
    expect(await signingStop(pool, '')).to.contain('shorter than what was signed');
  });

  it('signs nothing while the signed public head cannot be read, and continues once it can', async () => {
    const { sign, config: given, pool, vault } = opened();
    const config = { ...given, DATA_DIR: tempDir('data') };
    const runner = createRunner({ store: side.store, logger, cacheEntries: 10 });
    const ports = { config, pool, vault, runner, logger, clock: systemClock, record: side.store };
    const { contradiction } = openAnchoring(ports);
    const file = join(config.DATA_DIR, 'public-head.json');
    const faults = [
      () => mkdirSync(file),
      ...['', '{}', 'null'].map((text) => () => writeFileSync(file, text)),
    ];
    for (const spoil of faults) {
      spoil();
      const reason = await audited.check('', contradiction);
      expect(reason).to.contain(`cannot be read from ${file}`);
      expect(await signingStop(pool, '')).to.equal(reason);
      expect(await auditSigningCheck({ config, pool })().catch(String)).to.contain(file);
      expect(await sign(audited.account).catch((error: unknown) => error)).to.be.instanceOf(SigningStopped);
      const found = await heads({ config, pool: () => pool });
      expect(found).to.include({ state: 'ill', says: reason });
      rmSync(file, { recursive: true });
      expect(await audited.check('', contradiction)).to.equal(null);
      expect((await sign(audited.account)).size).to.equal(await audited.entries());
    }
  });

  it('begins no new log because the signed public head cannot be read', async () => {
    const cause = new Error("EACCES: permission denied, open '/data/public-head.json'");
    const denied = () => Promise.reject(new HeadUnreadable('/data/public-head.json', cause));
    expect(await audited.check('', denied)).to.contain('/data/public-head.json: EACCES');
    const { status, stderr } = await runService(['audit', 'new-log'], environment);
    expect([status, stderr]).to.deep.equal([
      1,
      `A new log would not be signed either. ${await audited.check('', denied)}\n`,
    ]);
    expect(await opened().noteKeys.list()).to.have.lengthOf(1);
  });

  it('continues in a new log, which the old one does not block, and the doctor reports both', async () => {
    const { sign, noteKeys, pool, config } = opened();
    const found = () => heads({ config, pool: () => pool });
    expect((await found()).says).to.equal('none has been signed yet');
    expect(await noteKeys.list()).to.deep.equal([]);
    const old = await sign(audited.account);
    await audited.lose(old.size - 1);
    const reason = await audited.check();
    expect(await found()).to.include({ state: 'ill', says: reason });
    const { log, name } = await noteKeys.beginLog();
    expect(await signingStop(pool, log)).to.equal(null);
    expect(await found()).to.deep.equal({ state: 'well', says: `signed as ${name}` });
    const { note, size } = await sign(audited.account);
    expect(size).to.equal(old.size - 1);
    expect(note).to.contain(`${old.size} ${old.root}\n`);
    expect(await audited.check(log)).to.equal(null);
  });
});
