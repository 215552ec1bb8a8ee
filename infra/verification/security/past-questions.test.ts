import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { toId } from '../../../contracts/ids.ts';
import { jsonSchema, type JsonObject } from '../../../contracts/openapi/json-schema.ts';
import type { Route } from '../../../contracts/routes/index.ts';
import { aPerson } from '../../../write-api/testing/team.ts';
import { guarded, idKindOf, namesId, targetOf } from './attacks.ts';
import { isSubject, makeSubjects, withinOf, type Subjects } from './subjects.ts';
import { outcomeOf, startWholeService, type WholeService } from './whole-service.ts';

const ahead = '9'.repeat(18);
const noTimes = ['2026-02-30T00:00:00Z', '2026-13-01T00:00:00Z', '2026-01-01T00:00:00', 'now', ''];
const noMoments = [
  '1/',
  '1/2/3',
  '-1/-1',
  '1\u00001',
  `${ahead}/${ahead}`,
  '9999-12-31T23:59:59Z',
  ...noTimes,
];
const noNumbers = ['x', '-1', '0', '1.5', 'Infinity', '9'.repeat(400), ''];

/** Texts that do not match the schema of a query's parameter. */
function wrongFor(name: string, { type, format }: JsonObject): readonly string[] {
  if (name === 'cursor') return ['A', '[]', '%', 'A'.repeat(1025), randomUUID()];
  if (type === 'integer') return noNumbers;
  return format === 'date-time' ? noTimes : noMoments;
}

const asked = ['as_of', 'from', 'to', 'since', 'until', 'size', 'limit', 'cursor'];
const parametersOf = ({ query = {} }: Route) =>
  Object.entries(query).filter(([name]) => asked.includes(name));
const questions = guarded.filter((route) => route.method === 'GET' && parametersOf(route).length > 0);
const pasts = questions.filter(({ query = {} }) => 'as_of' in query || ('limit' in query && 'to' in query));

/** The other one of the two time parameters. */
const besides = ({ id }: Route, name: string): string => {
  if (!id.endsWith('.past')) return '';
  return name === 'from' ? '&to=1%2F1' : name === 'to' ? '&from=1%2F1' : '';
};

describe('hostile queries', function () {
  this.timeout(240_000);
  let service: WholeService;
  let mine: { readonly token: string; readonly ids: Subjects };
  let theirs: typeof mine;
  before(async () => {
    service = await startWholeService();
    const newcomer = async () => {
      const account = await aPerson(service, { tier: 'enterprise' });
      return { ...account, ids: await makeSubjects(service, account) };
    };
    [mine, theirs] = [await newcomer(), await newcomer()];
    await service.caughtUp();
  });
  after(() => service.close());

  const idOf = (route: Route, { ids }: typeof mine) => {
    const kind = idKindOf(route);
    return isSubject(kind) ? ids[kind] : '';
  };
  const ask = (route: Route, owner: typeof mine, query: string, headers = {}) => {
    const target = namesId(route)
      ? targetOf(route, idOf(route, owner), withinOf(route, mine.ids))
      : targetOf(route);
    return service.call(`${target}?${query}`, { token: mine.token, headers });
  };
  const pathsIn = ({ json }: { readonly json: Record<string, unknown> }) =>
    ((json.errors ?? []) as { readonly path: string }[]).map(({ path }) => path);

  for (const route of questions)
    it(`of ${route.id} are refused with the name of the invalid field`, async () => {
      for (const [name, schema] of parametersOf(route))
        for (const text of wrongFor(name, jsonSchema(schema))) {
          const answer = await ask(route, mine, `${name}=${encodeURIComponent(text)}${besides(route, name)}`);
          const at = `${name}=${text.slice(0, 40)} ${answer.text}`;
          expect(answer.status, at).to.equal(400);
          if (outcomeOf(answer) === 'bad-request')
            expect(answer.text, at).to.match(/cursor|characters|encod/);
          else expect(pathsIn(answer), at).to.include(`/query/${name}`);
        }
    });

  for (const route of pasts.filter(namesId))
    it(`of ${route.id} about another account's resource are answered like those about a missing one`, async () => {
      const missing = toId(idKindOf(route), randomUUID());
      for (const query of ['as_of=x', 'as_of=1%2F1', 'from=x&to=y', 'cursor=A']) {
        const absent = await service.call(`${targetOf(route, missing)}?${query}`, { token: mine.token });
        for (const answer of [absent, await ask(route, theirs, query)])
          expect([outcomeOf(answer), query]).to.deep.equal(['not-found', query]);
      }
    });

  it('with an invalid position to wait for are refused', async () => {
    for (const route of pasts)
      for (const position of ['x', '1/', '-1/0', `${'1'.repeat(19)}/0`]) {
        const answer = await ask(route, mine, '', { 'X-Service-Min-Position': position });
        expect([outcomeOf(answer), route.id, position]).to.deep.equal(['bad-request', route.id, position]);
      }
  });
});
