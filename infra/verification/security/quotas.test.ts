import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { fixedClock } from '../../../write-api/testing.ts';
import { type AccountLimits, type QuotaName } from '../../../contracts/resources/account-limits.ts';
import { recordContracts, type RecordName } from '../../../contracts/records.ts';
import { soundBodies } from './attacks.ts';
import { heldAppends } from './held-appends.ts';
import { recordCreation } from './subjects.ts';
import { outcomeOf, startWholeService, type WholeService } from './whole-service.ts';

/** A request that may create a resource. */
interface Noun {
  readonly create: string;
  readonly body: () => object;
  /** Category of the created streams. */
  readonly category: string;
}

describe('a quota', () => {
  const clock = fixedClock();
  let service: WholeService;
  const { throughStore, hold } = heldAppends();
  before(async () => {
    service = await startWholeService({ clock, throughStore });
  });
  after(() => service.close());

  const quotaOf = async (token: string, name: QuotaName) => {
    await service.caughtUp();
    const { json, text } = await service.call('GET /v1/account/rate-limits', { token });
    expect(json, text).to.have.property('quotas');
    // The answer was validated against its schema.
    const { quotas, more_quotas: later } = json as unknown as AccountLimits;
    return [...quotas, ...later].find((each) => each.name === name) ?? { limit: 0, used: -1 };
  };
  type Ask = (via?: Pick<WholeService, 'call'>) => ReturnType<WholeService['call']>;
  /**
   * A process is stopped between a reservation and its resource; another one gets a request once the reservation's
   * lease is over.
   */
  const overtaken = async (ask: Ask, category: string, meanwhile: Ask = ask) => {
    const another = await service.serve();
    const stopped = hold(category);
    const slow = ask();
    await stopped.reached;
    clock.advance(60_000);
    const fast = await meanwhile(another);
    stopped.open();
    await another.close();
    return [fast, await slow].map(outcomeOf);
  };

  const named = () => ({ name: randomUUID() });
  const ofRecord = (kind: Parameters<typeof recordCreation>[0], category: string): Noun => {
    const { path, id } = recordCreation(kind);
    return { create: `POST ${path}`, category, body: () => soundBodies[id] ?? {} };
  };
  // A recipe is made of an agent session with an executed turn, not by a single request.
  const ofRecords = Object.fromEntries(
    recordContracts
      .filter(({ name }) => name !== 'recipes')
      .map(({ name, kind, events }) => [name, ofRecord(kind, events.name)]),
  ) as Record<Exclude<RecordName, 'recipes'>, Noun>;
  // Sessions have slots, which are no reservations.
  const nouns: Record<Exclude<QuotaName, 'sessions' | 'recipes'>, Noun> = {
    api_keys: { create: 'POST /v1/api-keys', category: 'api_key', body: named },
    webhooks: {
      ...{ create: 'POST /v1/webhooks', category: 'webhook_endpoint' },
      body: () => ({ url: 'https://93.184.215.14/hooks', events: ['session.completed'] }),
    },
    ...ofRecords,
    profiles: { create: 'POST /v1/profiles', category: 'profile', body: named },
    invitations: {
      ...{ create: 'POST /v1/team/invites', category: 'team_member' },
      body: () => ({ email: `${randomUUID()}@example.com`, role: 'member' }),
    },
  };
  for (const [name, noun] of Object.entries(nouns) as [QuotaName, Noun][]) {
    it(`of ${name} is kept when a process was stopped between its reservation and the resource`, async () => {
      const { token } = await service.staff.account('api_starter');
      const create: Ask = ({ call } = service) => call(noun.create, { token, body: noun.body() });
      const { limit, used } = await quotaOf(token, name);
      for (let n = used + 1; n < limit; n += 1) expect((await create()).status).to.equal(201);
      expect(await overtaken(create, noun.category)).to.deep.equal([201, 'conflict']);
      expect(await quotaOf(token, name)).to.deep.include({ limit, used: limit });
      expect(outcomeOf(await create())).to.equal('tier-limit');
    });
  }

  describe('is kept when a process was stopped between a reservation for an existing resource and its change:', () => {
    const asker =
      (token: string, target: string, body: object = {}): Ask =>
      ({ call } = service) =>
        call(target, { token, body });
    const create = (token: string, body: object = named()) => asker(token, 'POST /v1/profiles', body);
    const createdBy = async (ask: Ask) => String((await ask()).json.id);
    /** Profiles up to the limit, but for `left`. */
    const filled = async (token: string, left = 0) => {
      const { limit, used } = await quotaOf(token, 'profiles');
      for (let n = used; n < limit - left; n += 1) await create(token)();
      return limit;
    };

    it('of a profile that is restored', async () => {
      const { token } = await service.staff.account('api_starter');
      const id = await createdBy(create(token));
      const limit = await filled(token);
      await asker(token, `DELETE /v1/profiles/${id}`)();
      const restore = asker(token, `POST /v1/profiles/${id}/restore`);
      expect(await overtaken(restore, 'profile', create(token))).to.deep.equal([201, 'conflict']);
      expect(await quotaOf(token, 'profiles')).to.deep.include({ limit, used: limit });
      expect(outcomeOf(await restore())).to.equal('tier-limit');
    });

    it('of a profile that is accepted from another account', async () => {
      const [from, to] = [
        await service.staff.account('api_starter'),
        await service.staff.account('api_starter'),
      ];
      const limit = await filled(to.token, 1);
      const id = await createdBy(create(from.token));
      await asker(from.token, `POST /v1/profiles/${id}/transfer`, { to_account_id: to.accountId })();
      const accept = asker(to.token, `POST /v1/profiles/${id}/transfer/accept`);
      expect(await overtaken(accept, 'profile', create(to.token))).to.deep.equal([201, 'conflict']);
      expect(await quotaOf(to.token, 'profiles')).to.deep.include({ limit, used: limit });
    });

    it('and a name is not given twice', async () => {
      const { token } = await service.staff.account('api_starter');
      const proxy = { ...soundBodies['proxies.create'] };
      const nouns = [
        ['profiles', 'profile', 'name', [named(), named()]],
        [
          'account/me/proxies',
          'proxy',
          'label',
          [proxy, proxy].map((each) => ({ ...each, label: randomUUID() })),
        ],
      ] as const;
      for (const [path, category, field, bodies] of nouns) {
        const [one, other] = await Promise.all(
          bodies.map((body) => createdBy(asker(token, `POST /v1/${path}`, body))),
        );
        const rename = (id: string | undefined) =>
          asker(token, `PATCH /v1/${path}/${String(id)}`, { [field]: 'wanted' });
        expect(await overtaken(rename(one), category, rename(other)), path).to.deep.equal([200, 'conflict']);
        expect(outcomeOf(await rename(one)())).to.equal('conflict');
      }
    });
  });
});
