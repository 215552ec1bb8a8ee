import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import {
  aSession,
  anAccount,
  by,
  destroyed,
  ready,
  requested,
  sessionStream,
  startReadSide,
  type ReadSide,
} from '../../../projections/testing/index.ts';
import { verifyProjection } from '../../../projections/index.ts';

const moments = [
  'before its rows are written',
  'between its rows and those of other tables',
  'after its commit',
] as const;

/** Configuration of a projector that will be killed. */
export interface DyingProjector {
  readonly storeUrl: string;
  readonly postgresUrl: string;
  readonly moment: (typeof moments)[number];
}

const program = fileURLToPath(new URL('./projector-process.ts', import.meta.url));

describe('a projector that is killed in the middle of a batch', function () {
  this.timeout(120_000);
  let side: ReadSide;
  const account = anAccount();
  before(async () => (side = await startReadSide()));
  after(() => side.close());

  const change = async () => {
    for (let sessions = 0; sessions < 4; sessions += 1) {
      const id = aSession();
      const life = [requested(id, account), ready(id), destroyed(id)];
      await side.append(sessionStream(id), life, by(account));
    }
  };
  const killed = async (moment: DyingProjector['moment']) => {
    const told: DyingProjector = { storeUrl: side.storeUrl, postgresUrl: side.url, moment };
    const child = fork(program, [JSON.stringify(told)], { execArgv: ['--import', 'tsx'] });
    const [, signal] = (await once(child, 'exit')) as [unknown, string | null];
    expect(signal).to.equal('SIGKILL');
  };
  const rows = async () =>
    (await side.rows('select id from read_model.causes order by commit_position, prepare_position')).map(
      ({ id }) => id,
    );
  const logged = async () => {
    const ids: string[] = [];
    for await (const { id } of side.store.readAll()) ids.push(id);
    return ids;
  };

  for (const moment of moments)
    it(`${moment} leaves whole batches, and the next one resumes after them: no cause is missing or duplicated`, async () => {
      const before = await rows();
      await change();
      await killed(moment);
      const left = await rows();
      expect(left).to.deep.equal((await logged()).slice(0, left.length));
      expect(left.length - before.length).to.equal(moment === 'after its commit' ? 7 : 0);
      const next = side.project();
      await side.caughtUp();
      await next.close();
      expect(await rows()).to.deep.equal(await logged());
      for (const name of ['causes', 'sessions', 'audit_log'])
        expect(await verifyProjection(name, { store: side.store, pool: side.postgres.pool })).to.include({
          matches: true,
        });
    });
});
