import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { toId } from '../../../contracts/ids.ts';
import type { Route } from '../../../contracts/routes/index.ts';
import { aPerson, join, type Person } from '../../../write-api/testing/team.ts';
import { guarded, idKindOf, namesId, targetOf } from './attacks.ts';
import { isSubject, makeSubject, makeSubjects, withinOf, type Subjects } from './subjects.ts';
import { outcomeOf, startWholeService, type WholeService } from './whole-service.ts';

const actors = ['owner', 'admin', 'member', 'stranger', 'removed'] as const;
type Actor = (typeof actors)[number];
const headers = ['none', 'self', 'malformed', 'unknown', "the owner's"] as const;
type Header = (typeof headers)[number];

/** Outcome of a request; `let in`: it was answered, or refused for its query alone. */
type Outcome = 'let in' | 'not-found' | 'forbidden' | 'malformed header';

describe("an owner's account", () => {
  let service: WholeService;
  let people: Readonly<Record<Actor, Person & { readonly session: string }>>;
  let ids: Subjects;
  /** A profile of a stranger’s that the owner may take over. */
  let offered: string;

  before(async () => {
    service = await startWholeService();
    const newcomer = async () => {
      const person = await aPerson(service, { tier: 'enterprise' });
      const { accessToken } = await service.staff.session(person.accountId);
      return { ...person, session: accessToken };
    };
    const [owner, admin, member, stranger, removed] = await Promise.all([
      newcomer(),
      newcomer(),
      newcomer(),
      newcomer(),
      newcomer(),
    ]);
    ids = await makeSubjects(service, owner);
    await join(service, owner, admin, 'admin');
    await join(service, owner, member, 'member');
    const { membership_id } = await join(service, owner, removed, 'admin');
    await service.call(`DELETE /v1/team/members/${String(membership_id)}`, { token: owner.token });
    people = { owner, admin, member, stranger, removed };
    offered = await makeSubject(service, stranger, 'profile');
    const body = { to_account_id: owner.accountId };
    await service.call(`POST /v1/profiles/${offered}/transfer`, { token: stranger.token, body });
    await service.anchor();
  });
  after(() => service.close());

  const idOf = (route: Route): string | undefined => {
    if (!namesId(route)) return undefined;
    if (route.id === 'profiles.accept-transfer') return offered;
    const kind = idKindOf(route);
    return isSubject(kind) ? ids[kind] : toId(kind, randomUUID());
  };
  const headerOf = (header: Header, actor: Actor): string | undefined => {
    switch (header) {
      case 'none':
        return undefined;
      case 'self':
        return people[actor].accountId;
      case 'malformed':
        return `${people.owner.accountId}, ${people.owner.accountId}`;
      case 'unknown':
        return toId('account', randomUUID());
      case "the owner's":
        return people.owner.accountId;
    }
  };

  /** A query that is checked after everything else about the caller and the subject, so that nothing is changed. */
  const unstorable = '?x=%00';
  async function ask(route: Route, actor: Actor, header: Header): Promise<string> {
    const account = headerOf(header, actor);
    const takesKeys = route.credentials?.includes('api_key') ?? true;
    const { token, session } = people[actor];
    const target = `${targetOf(route, idOf(route), withinOf(route, ids))}${route.side === 'write' ? unstorable : ''}`;
    const answer = await service.call(target, {
      token: takesKeys ? token : session,
      headers: account === undefined ? {} : { 'X-Service-Account': account },
    });
    const path = (answer.json.errors as [{ path: string }] | undefined)?.[0].path ?? '';
    if (answer.status < 300 || path.startsWith('/query')) return 'let in';
    if (path === '/headers/x-service-account') return 'malformed header';
    return String(outcomeOf(answer));
  }

  /** With their own account, callers cannot see what belongs to the owner. */
  const onOwnAccount = (route: Route, actor: Actor): Outcome =>
    actor === 'owner' || !namesId(route) ? 'let in' : 'not-found';

  function expected(route: Route, actor: Actor, header: Header): Outcome {
    if (route.accountHeader === 'ignored' || header === 'none' || header === 'self')
      return onOwnAccount(route, actor);
    if (header === 'malformed') return 'malformed header';
    if (header === 'unknown') return 'not-found';
    if (actor === 'owner' || actor === 'admin') return 'let in';
    if (actor === 'member') return route.role === 'member' ? 'let in' : 'forbidden';
    return 'not-found';
  }

  for (const route of guarded) {
    it(`opens ${route.id} according to the table, by role and header, and changes nothing`, async () => {
      const cases = actors.flatMap((actor) => headers.map((header) => ({ actor, header })));
      const head = await service.store.head();
      const outcomes = await Promise.all(
        cases.map(async ({ actor, header }) => [actor, header, await ask(route, actor, header)]),
      );
      expect(outcomes).to.deep.equal(
        cases.map(({ actor, header }) => [actor, header, expected(route, actor, header)]),
      );
      expect(await service.store.head()).to.deep.equal(head);
    });
  }
});
