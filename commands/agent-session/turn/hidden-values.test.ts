import { expect } from 'chai';
import fc from 'fast-check';
import type { Observation } from '../../../contracts/resources/observation.ts';
import { hiddenValues } from './hidden-values.ts';
import { withoutSecrets } from './secrets.ts';
import { withoutValues } from './without-values.ts';

const hiding = (...values: readonly string[]) =>
  hiddenValues(Object.fromEntries(values.map((value, index) => [`v${index}`, { value }])));
const without = (text: string, ...values: readonly string[]) => withoutSecrets(text, hiding(...values));
const page = (changes: Partial<Observation> = {}): Observation => ({
  ...{ url: 'https://shop.example/', title: 'Shop', scroll: { y: 0, height: 844, view: 844 } },
  ...{ elements: [], headings: [], text: '', cut: false, dialog: null },
  ...changes,
});

describe('texts without the values of variables', () => {
  const found: readonly (readonly [what: string, value: string, text: string, told: string])[] = [
    ['a long one', 'hunter-2-hunter', 'as hunter-2-hunter.', 'as [hidden].'],
    ['a long one within a word', 'hunter-2-hunter', 'xhunter-2-hunterx', 'x[hidden]x'],
    ['one in other case', 'Hunter-2-hunter', 'AS HUNTER-2-HUNTER', 'AS [hidden]'],
    ['one with other blanks', ' two  words, long ', 'say two words,\n long!', 'say [hidden]!'],
    ['one in an address', 'ada@shop.example', '/?mail=ada%40shop.example&x=1', '/?mail=[hidden]&x=1'],
    ['one sent as a form', 'a long & odd one', '?q=a+long+%26+odd+one', '?q=[hidden]'],
    ['one quoted as JSON', 'a "quoted" value', '{"v":"a \\"quoted\\" value"}', '{"v":"[hidden]"}'],
    ['one that is cut off', 'abcdefghij-klmnop', 'It is abcdefghij-k', 'It is [hidden]'],
    ['one of combined letters', 'pâtisserie 2 go', 'pâtisserie 2 go'.normalize('NFD'), '[hidden]'],
    ['one beyond the first plane', '🔑🗝️🔒-🚪🧱🪟', 'the 🔑🗝️🔒-🚪🧱🪟 fits', 'the [hidden] fits'],
    ['one from right to left', 'כניסה-סודית-1', 'הערך כניסה-סודית-1 נשמר', 'הערך [hidden] נשמר'],
    ['one of a script without blanks', '我的密码', '您输入了我的密码吗', '您输入了[hidden]吗'],
    ['one in groups', 'DE89370400440532013000', 'to DE89 3704 0044 0532 0130 00.', 'to [hidden].'],
    ['one in other groups', '4111 1111-1111.1111', '4111-1111-1111-1111 or 41 111', '[hidden] or 41 111'],
    ['one without its groups', '+49 30 901820-0', 'tel:+49309018200', 'tel:[hidden]'],
    ['one in groups that is cut off', 'DE89370400440532013000', 'to DE89 3704 0', 'to [hidden]'],
    ['one in groups of combined letters', 'pâtisserie2go', 'pâtis-serie 2go'.normalize('NFD'), '[hidden]'],
    ['a short one as a word', 'x9!k', 'key x9!k, set', 'key [hidden], set'],
    ['three digits', '737', 'CVV 737', 'CVV [hidden]'],
    ['a word', 'dragon', 'the dragon flies', 'the [hidden] flies'],
  ];
  for (const [what, value, text, told] of found)
    it(`have none of ${what}`, () => expect(without(text, value)).to.equal(told));

  const kept: readonly (readonly [what: string, value: string, text: string])[] = [
    ['a letter', 'a', 'a page with a lot of a'],
    ['a digit', '1', 'page 1 of 11'],
    ['an article', 'the', 'the invoice of the month'],
    ['three combined letters', 'été'.normalize('NFD'), 'en été, été'],
    ['a short one within a word', 'x9!k', 'x9!kk and 0x9!k'],
    ['a short one in groups', '73 7x9', 'key 737x9 and 737-x9'],
    ['few letters in groups', 'a-b-c-d-e-f', 'abcdef and ab.cd.ef'],
    ['digits within a number', '737', 'flight 7370, 1737'],
    ['a word in other case', 'dragon', 'Dragons and Dragon'],
    ['a word that the text has often', 'total', 'total a, total b, total c, total d'],
    ['nothing', '', 'an empty value'],
    ['blanks', '   ', 'a  b   c    d'],
  ];
  for (const [what, value, text] of kept)
    it(`keep ${what}`, () => expect(without(text, value)).to.equal(text));

  it('contain no value that is within another one, or given twice', () => {
    const text = 'mail ada@shop.example, user ada@shop.example.admin, both';
    const told = 'mail [hidden], user [hidden], both';
    expect(without(text, 'ada@shop.example', 'ada@shop.example.admin', 'ada@shop.example')).to.equal(told);
    expect(without('one-two-three-four', 'one-two-three', 'three-four')).to.equal('[hidden]');
  });

  it('may contain values that are not sensitive', () => {
    expect(hiddenValues({ mail: { value: 'ada@shop.example', sensitive: false } })).to.deep.equal([]);
  });

  it('keep words that are too frequent on a page', () => {
    const rows = ['total of the order', 'total of the month', 'the total', 'total', 'a total of 1'];
    const elements = rows.map((name, index) => ({ ref: `e${index}`, role: 'link', name, in_view: true }));
    const seen = page({ elements, headings: ['total'], text: rows.join('\n') });
    expect(withoutValues(seen, hiding('total', 'the', 'a', '1'))).to.deep.equal(seen);
  });

  it('replace a value in every part of a page', () => {
    const value = 'canary-4b1d-value';
    const element = { ref: 'e1', role: 'combobox', name: value, value, options: [value], in_view: true };
    const seen = page({
      ...{
        url: `https://shop.example/?v=${value}`,
        title: value,
        headings: [value],
        text: value,
        dialog: value,
      },
      elements: [element],
    });
    expect(JSON.stringify(seen).split(value)).to.have.length(9);
    expect(JSON.stringify(withoutValues(seen, hiding(value)))).not.to.contain(value);
  });

  it('contain nothing of a value, and everything around it', () => {
    const around = fc.stringMatching(/^[ a-z.,\n]{0,40}$/);
    const value = fc.string({ unit: 'grapheme', minLength: 12, maxLength: 60 }).filter((text) => {
      const long = hiding(text).filter(({ kind }) => kind === 'long');
      return long.length > 0 && text.isWellFormed() && /[^a-z\s.,]/.test(text.trim());
    });
    fc.assert(
      fc.property(around, value, around, (before, secret, after) => {
        const told = without(`${before}|${secret}|${after}`, secret);
        expect(told).not.to.contain(secret.trim());
        expect(told.startsWith(`${before}|`)).to.equal(true);
        expect(told.endsWith(`|${after}`)).to.equal(true);
      }),
    );
  });

  it('are made quickly from repetitive values of 10,000 characters', () => {
    const values = Array.from({ length: 50 }, (_, index) => `${'a '.repeat(4990)}-${index}`);
    const before = process.cpuUsage();
    expect(without(`it says ${values[0]}`, ...values)).to.equal('it says [hidden]');
    expect(without('a '.repeat(6000), ...values)).to.have.length.below(12_001);
    expect(without('a.'.repeat(50_000), ...values)).to.have.length.below(100_001);
    expect(process.cpuUsage(before).user).to.be.below(2_000_000);
  });
});
