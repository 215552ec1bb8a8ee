import { expect } from 'chai';
import { routes, type Route } from '../../../contracts/routes/index.ts';
import { aPerson } from '../../../write-api/testing/team.ts';
import { idKindOf, namesId, takesKeys, targetOf } from './attacks.ts';
import { isSubject, makeSubjects, withinOf } from './subjects.ts';
import { startWholeService, type WholeService } from './whole-service.ts';

/** `GET …/state` claims the browser, as the contract says; a stream has no end to wait for. */
const asks = (routes as readonly Route[]).filter(
  ({ id, method, success }) =>
    method === 'GET' && success.contentType !== 'text/event-stream' && id !== 'sessions.state',
);

describe('reading', () => {
  let service: WholeService;
  before(async () => {
    service = await startWholeService();
  });
  after(() => service.close());

  it('appends, reserves and charges nothing, by any request and however often', async () => {
    const account = await aPerson(service, { tier: 'enterprise' });
    const { token, accountId } = account;
    const { accessToken } = await service.staff.session(accountId);
    const ids = await makeSubjects(service, account);
    await service.caughtUp();
    const held = async () => {
      const { json } = await service.call('GET /v1/account/rate-limits', { token });
      return { events: (await service.allEvents()).length, quotas: json.quotas };
    };
    const before = await held();
    const answered = new Set<number>();
    for (const route of asks) {
      const kind = namesId(route) ? idKindOf(route) : undefined;
      const id = kind !== undefined && isSubject(kind) ? ids[kind] : undefined;
      const credential = route.scopes === null ? null : takesKeys(route) ? token : accessToken;
      for (let times = 0; times < 3; times += 1)
        answered.add(
          (await service.call(targetOf(route, id, withinOf(route, ids)), { token: credential })).status,
        );
    }
    expect(answered).to.include(200);
    expect(await held(), accountId).to.deep.equal(before);
  });
});
