import { expect } from 'chai';
import pino from 'pino';
import { origin } from '../infra/event-store/client/position.ts';
import { outcomeOf, startReadApi, type ReadApi } from './testing.ts';

const farAhead = { commit: 10n ** 12n, prepare: 10n ** 12n };

describe('the audit log while the read models are made again, as after a restore', () => {
  let api: ReadApi;
  let token: string;
  let logEnd = origin;
  const logged: string[] = [];
  before(async () => {
    const logger = pino({ level: 'error' }, { write: (line) => void logged.push(line) });
    api = await startReadApi({ logger, logEnd: () => logEnd, maxWaitMs: 500 });
    api.project();
  });
  beforeEach(async () => {
    logEnd = origin;
    const { key } = await api.addAccount();
    token = key.text;
    await api.caughtUp();
  });
  after(() => api.close());

  const get = (path: string) => api.call(`GET /v1/account/audit-log${path}`, { token });
  const outcomes = (paths: readonly string[]) =>
    Promise.all(paths.map(async (path) => outcomeOf(await get(path))));

  it('has no proof of what it may not include yet: it is answered 503', async () => {
    const [first] = (await get('')).json.data as readonly { readonly sequence: number }[];
    const [count, later] = [Number(first?.sequence), Number(first?.sequence) + 1];
    const known = [`/${count}/proof`, `/consistency?from=1&to=${count}`];
    const unknown = [
      ...[`/${later}/proof`, `/1/proof?size=${later}`],
      ...[`/consistency?from=${later}`, `/consistency?from=1&to=${later}`],
    ];
    const never = ['/1/proof?size=0', '/consistency?from=0', `/consistency?from=${later}&to=${count}`];
    const invalid = 'validation-failed';
    expect(await outcomes(known)).to.deep.equal([200, 200]);
    expect(await outcomes(unknown)).to.deep.equal(['not-found', invalid, invalid, invalid]);
    expect(await outcomes(never)).to.deep.equal([invalid, invalid, invalid]);
    logEnd = farAhead;
    expect(await outcomes(known)).to.deep.equal([200, 200]);
    expect(new Set(await outcomes(unknown))).to.deep.equal(new Set(['feature-unavailable']));
    expect(await outcomes(never)).to.deep.equal([invalid, invalid, invalid]);
  });

  it('is not signed while it is shorter than what was signed, which is nothing for an operator yet', async () => {
    const { size } = (await get('/checkpoint')).json;
    await api.rows('delete from read_model.audit_log where sequence = $1', [size]);
    logEnd = farAhead;
    const answer = await get('/checkpoint');
    expect([outcomeOf(answer), answer.headers['retry-after']]).to.deep.equal(['feature-unavailable', '1']);
    const exported = await get('/export?format=jsonl');
    expect([exported.status, exported.headers['x-service-stale']]).to.deep.equal([200, 'true']);
    expect(exported.headers).not.to.have.property('x-checkpoint');
    expect(logged).to.deep.equal([]);
    logEnd = origin;
    expect((await get('/checkpoint')).headers['retry-after']).to.equal('60');
  });
});
