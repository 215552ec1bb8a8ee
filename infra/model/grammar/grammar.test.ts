import { expect } from 'chai';
import fc from 'fast-check';
import { Intent } from '../../../contracts/resources/agent-turn.ts';
import { lazyValidator } from '../intents.ts';
import { grammar } from './grammar.ts';

const url = 'http://127.0.0.1:8090/';
const interact = (action: object) => ({ kind: 'interact', action });
const navigate = { kind: 'navigate', url };
const tapGreet = interact({ kind: 'tap', text: 'Greet' });
const typeAda = interact({ kind: 'type', label: 'Name', text: 'Ada' });

describe('the grammar', () => {
  const sentences: readonly (readonly [string, object])[] = [
    [`go to ${url}`, navigate],
    [`Navigate to ${url}`, navigate],
    [`open "${url}"`, navigate],
    ['Open http://127.0.0.1:8090/.', navigate],
    ['go to file:///etc/passwd', { kind: 'navigate', url: 'file:///etc/passwd' }],
    ['tap "Greet"', tapGreet],
    ['Click on “Greet”', tapGreet],
    ['press "Greet"', tapGreet],
    ['tap "say \\"hi\\" \\\\ now"', interact({ kind: 'tap', text: 'say "hi" \\ now' })],
    ['tap selector #greet', interact({ kind: 'tap', selector: '#greet' })],
    [
      'tap selector ul > li a[title="Buy; then pay"]',
      interact({ kind: 'tap', selector: 'ul > li a[title="Buy; then pay"]' }),
    ],
    ['tap the button "Save"', interact({ kind: 'tap', role: 'button', name: 'Save' })],
    ['tap link "Save"', interact({ kind: 'tap', role: 'link', name: 'Save' })],
    ['press key Enter', interact({ kind: 'press', key: 'Enter' })],
    ['type "Ada" into "Name"', typeAda],
    ['type "" into "Name"', interact({ kind: 'type', label: 'Name', text: '' })],
    [
      'type "a\nb; then c" into selector #note',
      interact({ kind: 'type', selector: '#note', text: 'a\nb; then c' }),
    ],
    [
      'type password "x y" into "Key"',
      interact({ kind: 'type', label: 'Key', text: 'x y', sensitive: true }),
    ],
    [
      'type "x y" into "Your password"',
      interact({ kind: 'type', label: 'Your password', text: 'x y', sensitive: true }),
    ],
    [
      'type "x" into selector #userPassword',
      interact({ kind: 'type', selector: '#userPassword', text: 'x', sensitive: true }),
    ],
    [
      'type variable "password" into "Your password"',
      interact({ kind: 'type', label: 'Your password', variable: 'password' }),
    ],
    ['type variable “pin” into selector #pin', interact({ kind: 'type', selector: '#pin', variable: 'pin' })],
    ['select "Large" in "Size"', interact({ kind: 'select', label: 'Size', values: ['Large'] })],
    ['check "I agree"', interact({ kind: 'check', label: 'I agree', checked: true })],
    ['uncheck selector #news', interact({ kind: 'check', selector: '#news', checked: false })],
    ['wait for "Done"', { kind: 'wait', condition: { kind: 'text', text: 'Done' } }],
    ['wait for selector .done', { kind: 'wait', condition: { kind: 'selector', selector: '.done' } }],
    ['wait 1 second', { kind: 'wait', condition: { kind: 'delay', ms: 1000 } }],
    ['wait 2.5 seconds', { kind: 'wait', condition: { kind: 'delay', ms: 2500 } }],
    ['scroll down', { kind: 'scroll', direction: 'down' }],
    ['SCROLL UP 400', { kind: 'scroll', direction: 'up', amount: 400 }],
    ['take a screenshot', { kind: 'capture', capture: 'screenshot' }],
    ['save the page', { kind: 'capture', capture: 'dom_snapshot' }],
    ['save a pdf', { kind: 'capture', capture: 'pdf' }],
  ];
  for (const [message, intent] of sentences)
    it(`understands: ${JSON.stringify(message)}`, () => {
      expect(grammar(message)).to.deep.equal({ covers: true, intents: [intent] });
    });

  const joined = [
    `go to ${url} then type "Ada" into "Name" then tap "Greet"`,
    `go to ${url}, then type "Ada" into "Name", and then tap "Greet"`,
    `go to ${url}; type "Ada" into "Name"; tap "Greet"`,
    `go to ${url};\r\n\n type "Ada" into "Name";tap "Greet"\n`,
    `go to ${url}\nthen type "Ada" into "Name"\nThen tap "Greet";`,
    `  go   to ${url}, and then\ttype "Ada"  into "Name" and then tap "Greet"  `,
  ];
  for (const message of joined)
    it(`cuts into sentences: ${JSON.stringify(message)}`, () => {
      expect(grammar(message)).to.deep.equal({ covers: true, intents: [navigate, typeAda, tapGreet] });
    });

  it('leaves a semicolon within an address where it is', () => {
    const intents = [{ kind: 'navigate', url: 'http://a.example/b;c=1' }, tapGreet];
    expect(grammar('go to http://a.example/b;c=1; tap "Greet"')).to.deep.equal({ covers: true, intents });
  });

  const beyond = [
    'buy me an apple',
    'tap Greet',
    'tap ""',
    'tap "Greet" twice',
    'tap "Greet" "Cancel"',
    'tap "Greet',
    'tap selector',
    'type Ada into "Name"',
    'type "Ada" into Name',
    'go to example.com',
    'go to http://a.example/ http://b.example/',
    'go to http://a.example/;tap "Greet"',
    'go back',
    'wait 61 seconds',
    'wait -1 seconds',
    'scroll down 0',
    'scroll sideways',
    'tap button "0"x',
    ';',
  ];
  for (const message of beyond)
    it(`does not cover: ${JSON.stringify(message).slice(0, 60)}`, () => {
      expect(grammar(message)).to.have.property('covers', false);
    });

  it('covers more than a plan may have', () => {
    const understood = grammar(Array(60).fill('scroll down').join('\n'));
    expect(understood).to.have.property('intents').with.length(60);
  });

  it('says what it understood, and from where on it did not, without secrets', () => {
    const message =
      'tap "Sign in" then type password "correct horse" into "Key" then sing; type password "battery" into "Key"';
    expect(grammar(message)).to.deep.equal({
      covers: false,
      understood: ['tap "Sign in"', 'type password "[hidden]" into "Key"'],
      rest: 'sing\ntype password "[hidden]" into "Key"',
    });
  });

  it('never fails, and what it covers are intents that the contract has', () => {
    const isIntent = lazyValidator(Intent)();
    const words = [
      'go to',
      url,
      'tap',
      'type',
      'password',
      'into',
      'then',
      'and then',
      ',',
      ';',
      '\n',
      '"a"',
      '"',
      '“b”',
      '\\',
      'selector',
      '#x',
      'wait',
      'for',
      '3',
      'seconds',
      'scroll',
      'down',
      'select',
      'in',
      'check',
      '"0"',
    ];
    const spoken = fc.array(fc.constantFrom(...words), { maxLength: 12 }).map((parts) => parts.join(' '));
    fc.assert(
      fc.property(fc.oneof(spoken, fc.string({ unit: 'binary', maxLength: 200 })), (message) => {
        const understood = grammar(message);
        expect(
          understood.covers ? understood.intents.every((each) => isIntent(each)) : !('intents' in understood),
        ).to.equal(true);
      }),
      { numRuns: 2000 },
    );
  });

  it('takes a text as it is, whatever is in it', () => {
    const quotes = (text: string) => `"${text.replace(/["\\]/g, '\\$&')}"`;
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 100 }),
        fc.string({ minLength: 1, maxLength: 50 }),
        (text, label) => {
          fc.pre(!/passw|otp|cvv|cvc/i.test(label));
          expect(grammar(`type ${quotes(text)} into ${quotes(label)}, then tap "Greet"`)).to.deep.equal({
            covers: true,
            intents: [interact({ kind: 'type', label, text }), tapGreet],
          });
        },
      ),
    );
  });

  it('needs no more time for a long message than it is long', () => {
    for (const piece of ['"\\"', ' ', 'http://;;', 'then ', '; ', 'type " ', 'password '])
      expect(grammar(piece.repeat(20_000 / piece.length))).to.have.property('covers', false);
  }).timeout(2000);
});
