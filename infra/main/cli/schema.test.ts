import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import {
  freshDatabase,
  startEventLog,
  tempDir,
  type TestDatabase,
  type TestEventLog,
} from '../../verification/testbed/index.ts';
import { runService } from '../../verification/testbed/service.ts';

const newKey = () => randomBytes(32).toString('base64');

describe('the commands that are run before the roles of a release are started separately', function () {
  this.timeout(180_000);
  let stores: { store: TestEventLog; database: TestDatabase };
  let environment: Record<string, string | undefined>;
  const service = async (args: string, changed: Readonly<Record<string, string>> = {}) => {
    const run = await runService([...args.split(' '), '--json'], { ...environment, ...changed });
    const answer = run.stdout === '' ? {} : (JSON.parse(run.stdout) as Record<string, unknown>);
    return { ...run, answer };
  };

  before(async () => {
    const [store, database] = await Promise.all([startEventLog(), freshDatabase()]);
    stores = { store, database };
    environment = {
      ...process.env,
      ...{ DATA_DIR: tempDir('data'), EVENTSTORE_URL: store.url, POSTGRES_URL: database.url },
      ...{ MASTER_KEY: newKey(), KEY_PEPPER: newKey(), CURSOR_KEY: newKey() },
    };
  });

  after(() => Promise.all([stores.store.close(), stores.database.drop()]));

  it('create the tables, and have nothing to do the second time', async () => {
    const first = await service('migrate');
    expect([first.status, first.stderr]).to.deep.equal([0, '']);
    expect(first.answer.applied).to.be.an('array').that.is.not.empty;
    expect((await service('migrate')).answer).to.deep.equal({ applied: [] });
  });

  it('accept secrets for an empty log, and for one that they have sealed', async () => {
    expect(await service('secrets check')).to.deep.include({ status: 0, answer: { lacking: [] } });
    const created = await service('account create --email a@example.com --tier enterprise');
    expect(created.status, created.stderr).to.equal(0);
    expect(await service('secrets check')).to.deep.include({ status: 0, answer: { lacking: [] } });
  });

  it('name the secrets that do not match, and change nothing', async () => {
    const { status, answer } = await service('secrets check', { MASTER_KEY: newKey() });
    expect(answer.lacking).to.be.an('array').of.length(1);
    expect(status).to.equal(1);
    const kept = `${newKey()},${environment.MASTER_KEY ?? ''}`;
    expect((await service('secrets check', { MASTER_KEY: kept })).status).to.equal(0);
  });
});
