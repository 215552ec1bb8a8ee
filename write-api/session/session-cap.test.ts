import { expect } from 'chai';
import { until } from '../../infra/verification/testbed/index.ts';
import { movableClock } from '../testing.ts';
import { startServiceWithProcesses, type ServiceWithProcesses } from '../testing/processes.ts';

const clock = movableClock();
let service: ServiceWithProcesses;
before(async () => {
  service = await startServiceWithProcesses({ clock });
});
after(() => service.close());

describe('the duration cap of the free tier', () => {
  const opened = async () => {
    const { token, accountId } = await service.staff.account('free');
    const { status, json } = await service.call('POST /v1/sessions', { token, body: {} });
    expect([status, typeof json.expires_at]).to.deep.equal([201, 'string']);
    const read = async () => (await service.call(`GET /v1/sessions/${String(json.id)}`, { token })).json;
    return { accountId, read };
  };

  it('ends a session of an account that is still free, and not that of one that pays by then', async () => {
    const [free, paying] = [await opened(), await opened()];
    const { accounts, context } = service.staff;
    await accounts.setTier(paying.accountId, 'personal', context());
    clock.advance(20 * 60_000);
    const ended = await until(async () => {
      const session = await free.read();
      return session.status === 'destroyed' && session;
    });
    expect(ended.ended_reason).to.equal('duration_cap');
    const kept = await until(async () => {
      const session = await paying.read();
      return !session.expires_at && session;
    });
    expect(kept.status).to.equal('ready');
  });
});
