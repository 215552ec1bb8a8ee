import { expect } from 'chai';
import { createSimulatedDriver } from '../../infra/fleet/simulated/index.ts';
import { createOutboundGuard } from '../../infra/outbound/guard.ts';
import { until } from '../../infra/verification/testbed/index.ts';
import { startWriteSide, type WriteSide } from '../testing.ts';

describe('a node whose machine has no memory for more browsers', () => {
  let full = false;
  let side: WriteSide;
  before(async () => {
    const simulated = createSimulatedDriver({ guard: createOutboundGuard() });
    side = await startWriteSide({ browsers: { ...simulated, isFull: () => full } });
  });
  after(() => side.close());

  it('is placed on as little as a full one, keeps what it runs, and is placed on again once it has', async () => {
    const { token } = await side.staff.account('team');
    const create = async () => {
      const { status, json } = await side.call('POST /v1/sessions', { token, body: {} });
      return { status, id: String(json.id), type: String(json.type) };
    };
    const { status, id } = await create();
    expect(status).to.equal(201);
    full = true;
    // Its heartbeat has not reported that yet.
    expect(await create()).to.include({ status: 503 });
    await until(async () => (await side.fleet.place()) === undefined);
    const refused = await create();
    expect(refused).to.include({ status: 503 });
    expect(refused.type).to.match(/driver-not-integrated$/);
    expect(await side.fleet.takesSessions()).to.equal(true);
    const body = { url: 'http://sim.test/' };
    expect((await side.call(`POST /v1/sessions/${id}/navigate`, { token, body })).status).to.equal(200);
    full = false;
    await until(async () => (await create()).status === 201);
  });
});
