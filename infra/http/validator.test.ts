import { expect } from 'chai';
import { Refusal } from '../../contracts/problems.ts';
import { routes, type Route, type RouteId } from '../../contracts/routes/index.ts';
import { Type, type TSchema } from '../../contracts/schema.ts';
import type { FieldError } from './problem.ts';
import { requestValidator } from './validator.ts';

const validatorOf = (id: RouteId) => {
  const route = routes.find((each) => each.id === id);
  if (route === undefined) throw new Error(`The table has no ${id}.`);
  return requestValidator(route);
};

/** The fields for which a route refuses a request. */
async function failures(id: RouteId, body: unknown, query: Record<string, unknown> = {}) {
  try {
    await validatorOf(id)({ query, headers: {}, body });
  } catch (error) {
    if (error instanceof Refusal) return error.extensions.errors as FieldError[];
    throw error;
  }
  return [];
}
/** Every number in the query of a route. */
const numbersInQueries = routes.flatMap(({ id, query = {} }: Route) =>
  Object.entries(query)
    .filter(([, schema]) => Type.IsInteger(schema) || Type.IsNumber(schema))
    .map(([name, schema]) => ({ id: id as RouteId, name, schema })),
);
const paths = (errors: readonly FieldError[]) => errors.map(({ path }) => path);

describe('A request that fails its schema', () => {
  it('lists every field that fails, each with its path, its rule and the expected value', async () => {
    const errors = await failures('sessions.interact', {
      action: { kind: 'swipe', x1: 'left', y1: 1, x2: 2 },
      timeout_ms: 0,
    });
    expect(errors).to.deep.include({
      path: '/body/timeout_ms',
      code: 'minimum',
      message: 'timeout_ms must be at least 1.',
    });
    expect(paths(errors)).to.include.members(['/body/action/x1', '/body/action/y2', '/body/timeout_ms']);
    expect(errors.every(({ code, message }) => code !== '' && message !== '')).to.equal(true);
  });

  it('says of a missing query parameter the same as of a missing field', async () => {
    expect(await failures('audit-log.consistency', undefined)).to.deep.equal([
      { path: '/query/from', code: 'required', message: 'from is required.' },
    ]);
  });

  it('takes digits alone for a number in its query, on every route', async () => {
    const taken = [undefined, '5', '05', '20'];
    const refused = [
      ...['1e1', '1E1', '0x10', '0b1', '+5', ' 5', '5 ', '5\n', '5.0', '5.', '-5', '٥', '', 'ten', '1_0'],
      ...['Infinity', '-Infinity', '1e999', '9'.repeat(400), ['5', '6'], ['5'], { a: '5' }],
    ];
    const wrongOn = async (id: RouteId, name: string, value: unknown) => {
      const required = id === 'audit-log.consistency' ? { from: '1', to: '1' } : {};
      return paths(
        await failures(id, undefined, { ...required, ...(value !== undefined && { [name]: value }) }),
      );
    };
    const searched = new Set<TSchema>();
    for (const { id, name, schema } of numbersInQueries) {
      expect(await wrongOn(id, name, '1e1'), `${id} ${name}`).to.deep.equal([`/query/${name}`]);
      // Routes share schemas, and each searched one costs a tenth of a second.
      if (searched.has(schema)) continue;
      searched.add(schema);
      for (const value of refused)
        expect(await wrongOn(id, name, value), `${id} ${name} ${JSON.stringify(value)}`).to.deep.equal([
          `/query/${name}`,
        ]);
      for (const value of taken)
        expect(await wrongOn(id, name, value), `${id} ${name} ${value}`).to.deep.equal([]);
    }
    expect(numbersInQueries.map(({ name }) => name)).to.include.members(['limit', 'size', 'from', 'to']);
    expect(await failures('sessions.list', undefined, { limit: '1e1' })).to.deep.equal([
      { path: '/query/limit', code: 'type', message: 'limit must be a whole number in digits.' },
    ]);
  });

  it('lists at most twenty of them', async () => {
    const scopes = Array.from({ length: 100 }, (_, index) => `scope-${index}`);
    expect(await failures('api-keys.create', { name: '', scopes })).to.have.length(20);
  });

  it('names only the first one when its body is large, so that hostile bodies stay cheap', async () => {
    const numbers = Array.from({ length: 150_000 }, (_, index) => index);
    const keys = Object.fromEntries(numbers.slice(0, 10_000).map((index) => [`key-${index}`, index]));
    const hostile: [RouteId, object][] = [
      ['api-keys.create', { name: '', scopes: numbers }],
      ['sessions.interact', { action: { kind: 'select', selector: '#a', values: numbers }, timeout_ms: 0 }],
      ['sessions.create', { ...keys, label: 5, archetype: 5 }],
      ['sessions.create', { metadata: keys, label: 5, archetype: 5 }],
    ];
    for (const [id, body] of hostile) expect(await failures(id, body), id).to.have.length(1);
  });

  it('leaves no trace in the next request', async () => {
    const validate = validatorOf('sessions.navigate');
    const refused = await validate({ query: {}, headers: {}, body: {} }).catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(Refusal);
    const { body } = await validate({ query: {}, headers: {}, body: { url: 'http://site.test/' } });
    expect(body).to.deep.include({ url: 'http://site.test/', wait_until: 'load' });
  });
});
