import { expect } from 'chai';
import { jsonSchema } from '../../contracts/openapi/json-schema.ts';
import { requestParameters } from '../../contracts/openapi/parameters.ts';
import { routes, type Route, type RouteId } from '../../contracts/routes/index.ts';
import { textForms } from '../../contracts/text-forms.ts';
import { explainer, ruleOfPattern } from './explanation.ts';

const refused = (id: RouteId, body: unknown, query = {}, headers = {}): Record<string, string> => {
  const route = routes.find((each) => each.id === id);
  if (route === undefined) throw new Error(`The table has no ${id}.`);
  const errors = explainer(route)({ query, headers, body });
  return Object.fromEntries(errors.map(({ path, message }) => [path, message]));
};
const interact = (action: unknown) => refused('sessions.interact', { action });

describe('The explanation of an invalid request', () => {
  it('is about the variant that `kind` selects', () => {
    expect(interact({ kind: 'type', selector: 5 })).to.deep.equal({
      '/body/action/selector': 'must be text',
      '/body/action/text': 'is required',
    });
    expect(interact({ kind: 'swipe', x1: 1, y1: 'up', x2: 2 })).to.deep.equal({
      '/body/action/y1': 'must be a number',
      '/body/action/y2': 'is required',
    });
  });

  it('lists the valid kinds for an unknown one', () => {
    const { '/body/condition/kind': unknown, ...rest } = refused('sessions.wait', {
      condition: { kind: 'luck' },
    });
    expect([unknown, rest]).to.deep.equal(['must be one of selector, url, load_state, text, delay', {}]);
    expect(interact({ selector: '#a' })).to.deep.equal({ '/body/action/kind': 'is required' });
    expect(interact({ kind: 7 })['/body/action/kind']).to.match(/^must be (text|one of tap)/);
    expect(interact('tap')).to.deep.equal({ '/body/action': 'must be an object' });
  });

  it('names an unknown field of a closed object', () => {
    expect(interact({ kind: 'clear', selector: '#a', 'no/such': 1 })).to.deep.equal({
      '/body/action/no~1such': 'is not a field that is known here',
    });
  });

  it('describes sizes, ranges, times and lists in words', () => {
    expect(
      refused('sessions.create', { label: 'x'.repeat(201), archetype: '', metadata: [], profile_id: null }),
    ).to.deep.equal({
      '/body/label': 'must be at most 200 characters long',
      '/body/archetype': 'must not be empty',
      '/body/metadata': 'must be an object',
      '/body/profile_id': 'must be text',
    });
    expect(
      refused('sessions.navigate', { url: 'http://x/', timeout_ms: 1.5, wait_until: 'soon' }),
    ).to.deep.equal({
      '/body/timeout_ms': 'must be a whole number',
      '/body/wait_until': 'must be one of load, domcontentloaded, networkidle',
    });
    expect(refused('webhooks.create', { url: '', events: [], description: 5 })).to.deep.equal({
      '/body/url': 'must not be empty',
      '/body/events': 'must not be empty',
      '/body/description': 'must be text or null',
    });
    expect(
      refused('webhooks.create', { url: 'x', events: ['session.failed', 'session.failed'] }),
    ).to.deep.equal({ '/body/events': 'must not contain an item twice' });
    expect(refused('webhooks.replay', { since: 'yesterday', dry_run: 'yes' })).to.deep.equal({
      '/body/since': 'must be a date and time with its offset, like 2026-01-31T09:30:00Z',
      '/body/dry_run': 'must be true or false',
    });
  });

  it('says that a name must contain a visible character', () => {
    for (const name of [' ', '\t\n', '\u00a0\u3000'])
      expect(refused('api-keys.create', { name })).to.deep.equal({ '/body/name': 'must not be blank' });
    expect(refused('api-keys.create', { name: '' })).to.deep.equal({ '/body/name': 'must not be empty' });
  });

  it('covers the query and the headers too', () => {
    expect(refused('sessions.list', undefined, { limit: 'many' })).to.deep.equal({
      '/query/limit': 'must be a whole number',
    });
    expect(refused('sessions.list', undefined, { limit: '0' })).to.deep.equal({
      '/query/limit': 'must be at least 1',
    });
    expect(refused('sessions.create', {}, {}, { 'idempotency-key': 'two words' })).to.deep.equal({
      '/headers/idempotency-key': 'must be 1 to 255 visible ASCII characters',
    });
  });

  it('has a text for every keyword in the schemas of requests', () => {
    const unsaid = 'does not have an accepted form';
    const wrong: [RouteId, object][] = [
      ['api-keys.create', { name: 'x'.repeat(121), scopes: ['all'], expires_at: 'never' }],
      ['sessions.create', { metadata: Object.fromEntries(Array.from({ length: 101 }, (_, n) => [n, n])) }],
      ['sessions.interact', { action: { kind: 'press', key: 'a', modifiers: Array(5).fill('cmd') } }],
      ['sessions.interact', { action: { kind: 'swipe', x1: 1e9, y1: -1e9, x2: 0, y2: 0, duration_ms: 0 } }],
      ['sessions.search', { query: '', limit: 21 }],
      ['sessions.extract', { schema: 'title' }],
      ['sessions.login', { fields: [], success: { kind: 'delay', ms: -1 } }],
    ];
    for (const [id, body] of wrong) {
      const messages = Object.values(refused(id, body));
      expect(messages, id).not.to.be.empty;
      expect(messages, id).not.to.include(unsaid);
    }
  });

  it('describes the form of a text in words, for every pattern that a request can fail', () => {
    const patterns = routes.flatMap((route: Route) => [
      ...patternsIn(route.body === undefined ? {} : jsonSchema(route.body)),
      ...requestParameters(route, jsonSchema).flatMap(({ schema }) => patternsIn(schema)),
    ]);
    expect(patterns).to.include(textForms.modelKey.pattern);
    for (const pattern of new Set(patterns)) expect(ruleOfPattern(pattern), pattern).not.to.contain(pattern);
    expect(refused('profiles.transfer', { to_account_id: 'ada' })).to.deep.equal({
      '/body/to_account_id': 'must be acc_<uuid>',
    });
    expect(refused('byok-llm-key.put', { api_key: 'sk-of-another' })).to.deep.equal({
      '/body/api_key': 'must be a key of the model provider, which starts with sk-ant-',
    });
  });
});

/** All patterns within a schema. */
const patternsIn = (schema: unknown): string[] => {
  if (typeof schema !== 'object' || schema === null) return [];
  const own = 'pattern' in schema && typeof schema.pattern === 'string' ? [schema.pattern] : [];
  return [...own, ...Object.values(schema).flatMap(patternsIn)];
};
