import { expect } from 'chai';
import { archetypeCatalogue } from '../../contracts/archetypes.ts';
import { withSession } from '../testing/one-session.ts';

describe('a body that is wrong whatever the page is', () => {
  const session = withSession();
  const { operate } = session;
  const fields = (json: Record<string, unknown>) =>
    (json.errors as { path: string; code: string; message: string }[]).map(({ path }) => path);

  const act = (action: object) => ['interact', { action }] as const;
  const extract = (schema: object) => ['extract', { schema }] as const;
  const wrong: readonly (readonly [string, readonly [string, object], string])[] = [
    ['a tap without a target', act({ kind: 'tap' }), '/body/action/selector'],
    ['a tap at x alone', act({ kind: 'tap', x: 1 }), '/body/action/y'],
    ['a double tap at y alone', act({ kind: 'double_tap', y: 1 }), '/body/action/x'],
    ['a long press without a target', act({ kind: 'long_press' }), '/body/action/selector'],
    ['typing without a field', act({ kind: 'type', text: 'a' }), '/body/action/selector'],
    ['two names for one element', act({ kind: 'tap', selector: 'a', text: 'b' }), '/body/action/selector'],
    ['a point and a frame', act({ kind: 'tap', x: 1, y: 1, frame: 'iframe' }), '/body/action/frame'],
    ['an element and x', act({ kind: 'tap', selector: 'a', x: 1 }), '/body/action/x'],
    ['an element and y', act({ kind: 'pinch', label: 'Map', y: 1, scale: 2 }), '/body/action/y'],
    [
      'a drag from an element and x',
      act({ kind: 'drag', from: { text: 'a', x: 1 }, to: { text: 'b' } }),
      '/body/action/from/x',
    ],
    ['a name without a role', act({ kind: 'tap', name: 'Save' }), '/body/action/role'],
    ['a selection of nothing', act({ kind: 'select', selector: 'a' }), '/body/action/values'],
    ['an upload of nothing', act({ kind: 'upload', label: 'Photo' }), '/body/action/files'],
    ['a drag to nowhere', act({ kind: 'drag', from: { x: 1, y: 1 }, to: { x: 1 } }), '/body/action/to/y'],
    ['a wait for no element', ['wait', { condition: { kind: 'selector' } }], '/body/condition/selector'],
    ['a capture of two names', ['capture', { kind: 'screenshot', label: 'a', role: 'img' }], '/body/label'],
    [
      'a capture of an element and of all of the page',
      ['capture', { kind: 'screenshot', selector: 'a', full_page: true }],
      '/body/full_page',
    ],
    [
      'a text for prompts that are not accepted',
      ['interact', { action: { kind: 'press', key: 'a' }, dialogs: { accept: false, prompt_text: 'x' } }],
      '/body/dialogs/prompt_text',
    ],
    ['a tab of no id', act({ kind: 'activate_tab', tab_id: 'first' }), '/body/action/tab_id'],
    [
      'credentials without a password',
      ['navigate', { url: 'http://sim.test/', credentials: { username: 'ada' } }],
      '/body/credentials/password',
    ],
    ['a key of no name', act({ kind: 'press', key: 'NoSuchKey' }), '/body/action/key'],
    [
      'a pattern that is none',
      ['wait', { condition: { kind: 'url', pattern: '/(/' } }],
      '/body/condition/pattern',
    ],
    [
      'a success of no pattern',
      ['login', { fields: {}, success: { kind: 'url', pattern: '/(/' } }],
      '/body/success/pattern',
    ],
    ['a site with a port', ['login', { fields: {}, site: 'shop.example:8443' }], '/body/site'],
    ['a site with a path', ['login', { fields: {}, site: 'https://shop.example/in' }], '/body/site'],
    ['an unknown schema type', extract({ type: 'date' }), '/body/schema/type'],
    [
      'an unknown type within a schema',
      extract({ type: 'array', items: { properties: { 'a/b': { type: 'any' } } } }),
      '/body/schema/items/properties/a~1b/type',
    ],
    ['properties that are none', extract({ properties: [] }), '/body/schema/properties'],
    ['a property that is no schema', extract({ properties: { a: true } }), '/body/schema/properties/a'],
    ['a selector that is no text', extract({ 'x-selector': 5 }), '/body/schema/x-selector'],
  ];
  for (const [what, [operation, body], path] of wrong) {
    it(`is refused for ${what}`, async () => {
      const { status, json } = await operate(operation, body);
      expect(status).to.equal(400);
      expect(json.type).to.contain('validation-failed');
      expect(fields(json)).to.deep.equal([path]);
    });
  }

  const refused = [
    'relative',
    '/relative',
    '//sim.test/',
    'sim.test',
    'http:',
    'http://',
    'http:///path',
    'https:sim.test',
    'http://[::1',
    'http://a b/',
    'http://user:secret@sim.test/',
    'ftp://sim.test/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/html,hi',
    'about:srcdoc',
    'http://127.0.0.1/',
    'http://2130706433/',
    'http://[::1]/',
    'http://169.254.169.254/latest/',
    'http://10.0.0.1:8080/',
  ];
  for (const url of refused) {
    it(`is refused for the address ${url}`, async () => {
      for (const answer of [
        await operate('navigate', { url }),
        await operate('login', { url, fields: {} }),
      ]) {
        expect(answer.status, answer.text).to.equal(400);
        expect(fields(answer.json)).to.deep.equal(['/body/url']);
      }
    });
  }

  it('is not what leads to a page that cannot be opened, nor a name that leads to a forbidden address', async () => {
    for (const url of ['http://sim.test/unreachable', 'http://localhost/', 'http://a.localhost/'])
      expect((await operate('navigate', { url })).status, url).to.equal(502);
    expect((await operate('navigate', { url: 'about:blank' })).status).to.equal(200);
  });

  it('changes nothing, and is refused before the state of the session is checked', async () => {
    const { json } = await session.side.call('POST /v1/sessions', {
      token: session.token,
      body: { archetype: archetypeCatalogue.default },
    });
    const other = String(json.id);
    const tap = () =>
      session.side.call(`POST /v1/sessions/${other}/interact`, {
        token: session.token,
        body: { action: { kind: 'tap' } },
      });
    expect((await tap()).status).to.equal(400);
    const types = async () =>
      (await session.side.events(`session-${other.slice(4)}`)).map(({ type }) => type);
    expect(await types()).not.to.include('OperationClaimed');
    expect(
      session.side
        .driverLog()
        .filter(({ session_id, action }) => session_id === other && action === 'operate'),
    ).to.deep.equal([]);
    await session.side.call(`DELETE /v1/sessions/${other}`, { token: session.token });
    expect((await tap()).status).to.equal(400);
  });

  it('is explained in sentences', async () => {
    const { json } = await operate('navigate', { url: 'http://127.0.0.1/' });
    expect(json.detail).to.match(/^url is refused: the address of 127\.0\.0\.1 is not allowed: .*[^.]\.$/);
    expect((await operate('interact', { action: { kind: 'tap' } })).json.detail).to.equal(
      'action.selector is required if x and y are not given.',
    );
  });

  it('lists every field that is wrong', async () => {
    const { json } = await operate('login', {
      url: 'javascript:1',
      fields: {},
      success: { kind: 'url', pattern: '/(/' },
    });
    expect(fields(json)).to.deep.equal(['/body/url', '/body/success/pattern']);
  });

  it('is answered with the first errors and the beginning of names, however many and long they are', async () => {
    const wrong = Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [at.toString(36), 1]));
    const schema = { properties: { ['a'.repeat(400_000)]: { properties: wrong } } };
    const { status, json } = await operate('extract', { schema });
    expect(status).to.equal(400);
    expect(fields(json)).to.have.length(20);
    expect(JSON.stringify(json).length).to.be.below(20_000);
  });
});

describe('an extraction', () => {
  const { operate } = withSession();

  it('says so when the page holds nothing of what its schema asks for', async () => {
    const extract = async (selector: string) => {
      const schema = { type: 'object', properties: { it: { type: 'string', 'x-selector': selector } } };
      return (await operate('extract', { schema })).json;
    };
    await operate('navigate', { url: 'http://sim.test/' });
    expect(await extract('h1'))
      .to.include({ matched: true })
      .and.not.have.property('detail');
    const none = await extract('#none');
    expect(none).to.include({ matched: false, data: null });
    expect(none.detail).to.match(/^Nothing on the page matches the schema\..*\.$/);
  });
});
