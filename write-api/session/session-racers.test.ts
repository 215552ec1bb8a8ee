import { expect } from 'chai';
import { gate } from '../../infra/verification/testbed/index.ts';
import { startWriteSide, type WriteSide } from '../testing.ts';

describe('200 racers on 20 sessions', () => {
  const operations = gate();
  let side: WriteSide;
  before(async () => {
    side = await startWriteSide({ driver: { waits: { operate: operations.pass } } });
  });
  after(() => side.close());

  it('give 20 wins, 180 clean conflicts and no second dispatch', async () => {
    const { token } = await side.staff.account('enterprise');
    const created = await Promise.all(
      Array.from({ length: 20 }, () => side.call('POST /v1/sessions', { token, body: {} })),
    );
    const ids = created.map(({ json }) => String(json.id));
    let conflicts = 0;
    const answers = await Promise.all(
      Array.from({ length: 200 }, async (_, n) => {
        const target = `POST /v1/sessions/${ids[n % 20]}/navigate`;
        const ask = () => side.call(target, { token, body: { url: 'http://sim.test/' } });
        // Retries a 503, as a client does: on a busy machine a read of the store may time out.
        let answer = await ask();
        while (answer.status === 503) answer = await ask();
        // The first operations continue once all others have conflicted with them.
        if (answer.status === 409 && (conflicts += 1) === 180) operations.open();
        return answer;
      }),
    );
    const won = answers.filter(({ status }) => status === 200);
    const lost = answers.filter(({ status }) => status === 409);
    expect([won.length, lost.length]).to.deep.equal([20, 180]);
    expect(new Set(lost.map(({ json }) => json.type))).to.deep.equal(
      new Set(['https://errors.example/conflict']),
    );
    const operated = side.driverLog().filter(({ action }) => action === 'operate');
    expect(operated).to.have.lengthOf(20);
    expect(new Set(operated.map(({ session_id }) => session_id)).size).to.equal(20);
  });
});
