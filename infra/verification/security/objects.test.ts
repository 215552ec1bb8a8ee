import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { idPrefixes, toId, type IdKind, type WebhookId } from '../../../contracts/ids.ts';
import type { Route } from '../../../contracts/routes/index.ts';
import { aPerson, join } from '../../../write-api/testing/team.ts';
import type { Answer } from '../../http/testing.ts';
import { until } from '../testbed/index.ts';
import {
  guarded,
  idKindOf,
  namesId,
  lists,
  malformedIds,
  pages,
  soundBodies,
  targetOf,
  withBody,
  withId,
} from './attacks.ts';
import { isSubject, makeSubject, makeSubjects, subjectKinds, withinOf } from './subjects.ts';
import { outcomeOf, startWholeService, type WholeService } from './whole-service.ts';

/** Parts of an answer that must not distinguish one refusal from another. */
const bare = ({ status, headers, json }: Answer) => {
  const { 'x-request-id': _id, date: _date, ratelimit: _left, ...rest } = headers;
  return { status, headers: rest, json: { ...json, instance: '' } };
};

describe('what belongs to another account', () => {
  let service: WholeService;
  let mine: Awaited<ReturnType<typeof newcomer>>;
  let theirs: Awaited<ReturnType<typeof newcomer>>;
  const streamsRead: string[] = [];

  /** An account with two of everything. */
  async function newcomer() {
    const account = await aPerson(service, { tier: 'enterprise' });
    const { accountId } = account;
    const ids = await makeSubjects(service, account);
    await makeSubjects(service, account);
    await service.staff.delivery(accountId, ids.webhook as WebhookId);
    for (let profiles = 0; profiles < 2; profiles += 1) {
      const body = soundBodies['profile-snapshots.create'];
      const { token } = account;
      await service.call(`POST /v1/profiles/${ids.profile}/snapshots`, { token, body });
      const trashed = await makeSubject(service, account, 'profile');
      await service.call(`DELETE /v1/profiles/${trashed}`, { token });
    }
    for (let teams = 0; teams < 2; teams += 1) await join(service, await aPerson(service), account, 'admin');
    return { ...account, ids };
  }
  const idOf = (owner: typeof mine, kind: IdKind) => (isSubject(kind) ? owner.ids[kind] : '');
  const own = (route: Route, owner: typeof mine) =>
    namesId(route)
      ? targetOf(route, idOf(owner, idKindOf(route)), withinOf(route, owner.ids))
      : targetOf(route);

  before(async () => {
    service = await startWholeService({
      throughStore: (store) => ({
        ...store,
        readStream: (stream, options) => {
          streamsRead.push(stream);
          return store.readStream(stream, options);
        },
      }),
    });
    [mine, theirs] = [await newcomer(), await newcomer()];
  });
  after(() => service.close());

  const untouched = async (work: () => Promise<void>) => {
    const traces = async () => [(await service.store.head())?.commit, service.driverLog().length];
    const before = await traces();
    await work();
    expect(await traces()).to.deep.equal(before);
  };
  /** Bodies to try: none, a valid one, and broken JSON. None may change the answer. */
  const bodiesOf = (id: string) => (id in soundBodies ? [undefined, soundBodies[id], '{'] : [undefined]);

  it('has a valid body to try every route with', () => {
    expect(Object.keys(soundBodies)).to.have.members(withBody.map(({ id }) => id));
    expect(new Set(withId.map(idKindOf))).to.deep.equal(new Set(subjectKinds));
  });

  for (const route of withId) {
    it(`is not found at ${route.id}, byte for byte like a missing one`, () =>
      untouched(async () => {
        const kind = idKindOf(route);
        for (const body of bodiesOf(route.id)) {
          const refusal = async (id: string, { ids }: typeof mine) =>
            bare(await service.call(targetOf(route, id, withinOf(route, ids)), { token: mine.token, body }));
          const missing = await refusal(toId(kind, randomUUID()), mine);
          expect(missing.status).to.equal(404);
          for (const within of [mine, theirs])
            expect(await refusal(idOf(theirs, kind), within)).to.deep.equal(missing);
        }
      }));

    it(`is not reached through ${route.id} by any disguise of an id`, () =>
      untouched(async () => {
        const kind = idKindOf(route);
        const missing = bare(
          await service.call(targetOf(route, toId(kind, randomUUID()), withinOf(route, mine.ids)), {
            token: mine.token,
          }),
        );
        for (const id of malformedIds(kind, idOf(theirs, kind))) {
          const answer = await service.call(targetOf(route, id, withinOf(route, mine.ids)), {
            token: mine.token,
          });
          expect(bare(answer), id).to.deep.equal(missing);
        }
      }));
  }

  it('is looked for before the query of a list below it, or of its past, is checked', async () => {
    for (const route of withId.filter(({ method }) => method === 'GET')) {
      const kind = idKindOf(route);
      for (const id of [idOf(theirs, kind), toId(kind, randomUUID()), 'nonsense']) {
        const target = `${targetOf(route, id, withinOf(route, mine.ids))}?limit=0&cursor=x&status=x&size=x`;
        expect(outcomeOf(await service.call(target, { token: mine.token })), target).to.equal('not-found');
      }
    }
  });

  it('costs no more reads of the record to refuse than a missing one', async () => {
    const readsOf = async (route: Route, id: string) => {
      streamsRead.length = 0;
      await service.call(targetOf(route, id), { token: mine.token });
      return streamsRead.filter((stream) => stream.endsWith(id.slice(id.indexOf('_') + 1))).length;
    };
    for (const route of withId.filter(({ side }) => side === 'write')) {
      const kind = idKindOf(route);
      const missing = await readsOf(route, toId(kind, randomUUID()));
      // There are other readers: a node's heartbeat checks the state of a session.
      await until(async () => (await readsOf(route, idOf(theirs, kind))) <= missing);
    }
  });

  for (const route of guarded.filter(({ accountHeader }) => accountHeader === 'honored')) {
    it(`is not acted on by ${route.id} with the owner's id in X-Service-Account`, () =>
      untouched(async () => {
        const acting = (account: string) =>
          service.call(own(route, theirs), {
            token: mine.token,
            body: soundBodies[route.id],
            headers: { 'X-Service-Account': account },
          });
        const foreign = await acting(theirs.accountId);
        expect(bare(foreign)).to.deep.equal(bare(await acting(toId('account', randomUUID()))));
        expect(outcomeOf(foreign)).to.equal('not-found');
        for (const malformed of [
          '*',
          theirs.accountId.toUpperCase(),
          `${mine.accountId}, ${theirs.accountId}`,
        ])
          expect(outcomeOf(await acting(malformed)), malformed).to.equal('validation-failed');
      }));
  }

  it('is in no list, no export and no page of the caller', async () => {
    for (const route of pages) {
      const { text } = await service.call(own(route, mine), { token: mine.token });
      for (const id of [theirs.accountId, ...Object.values(theirs.ids)]) expect(text).not.to.contain(id);
    }
  });

  // A history of one change returns no cursor; longer ones are tested with their routes.
  for (const route of lists.filter(({ id }) => !id.endsWith('.past'))) {
    it(`is not listed by ${route.id} from a cursor of its own, of another list or a made-up one`, async () => {
      const list = (owner: typeof mine, cursor: string) =>
        service.call(`${own(route, owner)}?limit=1&cursor=${cursor}`, { token: owner.token });
      const cursorOf = ({ json, headers }: Answer) => headers['x-next-cursor'] ?? String(json.next_cursor);
      const [ours, foreign] = [cursorOf(await list(mine, '')), cursorOf(await list(theirs, ''))];
      expect((await list(mine, ours)).status).to.equal(200);
      const altered = `${ours.startsWith('A') ? 'B' : 'A'}${ours.slice(1)}`;
      for (const cursor of [
        foreign,
        altered,
        ours.slice(0, -1),
        `${ours}AA`,
        `${ours}%3D`,
        'A',
        'null',
        '%5B%5D',
      ])
        expect(outcomeOf(await list(mine, cursor)), cursor).to.equal('bad-request');
      expect(outcomeOf(await list(mine, 'A'.repeat(1025)))).to.equal('validation-failed');
      for (const other of lists.filter(({ id }) => id !== route.id)) {
        const elsewhere = await service.call(`${own(other, mine)}?cursor=${ours}`, { token: mine.token });
        expect(outcomeOf(elsewhere), other.id).to.equal('bad-request');
      }
    });
  }

  it('is not replayed to an Idempotency-Key that another account chose too', async () => {
    const headers = { 'Idempotency-Key': randomUUID() };
    const create = (token: string, body: object) =>
      service.call('POST /v1/sessions', { token, body, headers });
    const [first, other] = [await create(theirs.token, {}), await create(mine.token, {})];
    expect([first.status, other.status]).to.deep.equal([201, 201]);
    expect(other.json.id).not.to.equal(first.json.id);
    expect(other.json.account_id).to.equal(mine.accountId);
    expect(other.headers).not.to.have.property('idempotency-replayed');
    expect((await create(mine.token, {})).json).to.deep.equal(other.json);
    expect(outcomeOf(await create(mine.token, { label: 'another' }))).to.equal('conflict');
  });

  it('cannot be named in a body', async () => {
    for (const profile_id of [
      `${idPrefixes.profile}_${randomUUID()}`,
      randomUUID(),
      'nonsense',
      theirs.ids.session,
    ]) {
      const answer = await service.call('POST /v1/sessions', { token: mine.token, body: { profile_id } });
      expect(outcomeOf(answer), profile_id).to.equal('not-found');
    }
  });
});
