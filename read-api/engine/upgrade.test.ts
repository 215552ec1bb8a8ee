import { expect } from 'chai';
import { gatedReads } from '../../projections/testing/gated-reads.ts';
import { counting, toCome } from '../../projections/testing/next-release.ts';
import { aSession, ready, requested, sessionStream } from '../../projections/testing/index.ts';
import { recordedVersions } from '../../projections/engine/recorded-versions.ts';
import { versionOf } from '../../projections/engine/table.ts';
import { until } from '../../infra/verification/testbed/index.ts';
import { dataOf, outcomeOf, startReadApi, type ReadApi } from '../testing.ts';

describe('the read side while a read model is of another version', () => {
  let api: ReadApi;
  beforeEach(async () => (api = await startReadApi({ maxWaitMs: 50 })));
  afterEach(() => api.close());

  const fast = { standbyMs: 10, batchWindowMs: 1 };
  const isReplaced = () =>
    until(async () => {
      const versions = await recordedVersions(api.postgres.pool, 'read_model');
      return versions.get('sessions') === versionOf(counting.table);
    });
  /** A session on the first release's tables, while the next release's projector is held before it builds its own. */
  const duringUpgrade = async () => {
    const first = api.project(fast);
    const { account, key } = await api.addAccount();
    const session = aSession();
    await api.write(account, sessionStream(session), [requested(session, account)]);
    await api.caughtUp();
    await first.close();
    const gate = gatedReads(api.store);
    api.project({ ...fast, store: gate.store, projections: toCome });
    await gate.reached;
    return { account, key, session, gate };
  };

  it('shows the rows of the table, says when they are too old, and refuses to say that a row is missing', async () => {
    const { account, key, session, gate } = await duringUpgrade();
    const shown = await api.call(`GET /v1/sessions/${session}`, { token: key.text });
    expect([shown.status, shown.headers['x-service-stale']]).to.deep.equal([200, undefined]);

    const late = aSession();
    await api.write(account, sessionStream(late), [requested(late, account)]);
    await api.write(account, sessionStream(session), [ready(session)]);
    await api.caughtUp();
    const stale = await api.call('GET /v1/sessions', { token: key.text });
    expect(dataOf(stale).map(({ id, status }) => [id, status])).to.deep.equal([[session, 'creating']]);
    expect(stale.headers['x-service-stale']).to.equal('true');
    const missing = await api.call(`GET /v1/sessions/${late}`, { token: key.text });
    expect([outcomeOf(missing), missing.headers['retry-after']]).to.deep.equal(['feature-unavailable', '1']);
    const other = await api.call('GET /v1/account/me', { token: key.text });
    expect([other.status, other.headers['x-service-stale']]).to.deep.equal([200, undefined]);

    gate.open();
    await isReplaced();
    const now = await api.call(`GET /v1/sessions/${late}`, { token: key.text });
    expect([now.status, now.headers['x-service-stale']]).to.deep.equal([200, undefined]);
  });

  it('answers on connections that know the old columns when the table is replaced', async () => {
    const { key, session, gate } = await duringUpgrade();
    const reads = () =>
      Promise.all(
        Array.from({ length: 12 }, () => api.call(`GET /v1/sessions/${session}`, { token: key.text })),
      );
    expect((await reads()).map(outcomeOf)).to.deep.equal(Array.from({ length: 12 }, () => 200));
    gate.open();
    await isReplaced();
    expect((await reads()).map(outcomeOf)).to.deep.equal(Array.from({ length: 12 }, () => 200));
  });

  for (const statement of [
    'alter table read_model.sessions rename column label to name',
    'alter table read_model.sessions rename to sittings',
  ]) {
    it(`asks to be called again where the table lacks what it names: ${statement}`, async () => {
      const { key, session, gate } = await duringUpgrade();
      await api.rows(statement);
      const answer = await api.call(`GET /v1/sessions/${session}`, { token: key.text });
      expect([outcomeOf(answer), answer.headers['retry-after']]).to.deep.equal(['feature-unavailable', '2']);
      gate.open();
    });
  }
});
