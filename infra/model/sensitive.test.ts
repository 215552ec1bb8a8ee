import { expect } from 'chai';
import type { Intent } from '../../contracts/resources/agent-turn.ts';
import { markSensitive, withoutTypedSecrets } from './sensitive.ts';

describe('secrets in sentences', () => {
  const hidden: readonly (readonly [string, string])[] = [
    ['type password "a; b\\"c" into "Key"', 'type password "[hidden]" into "Key"'],
    ['type “x y” into "Password"', 'type "[hidden]" into "Password"'],
    ['type "x" into selector #userPassword', 'type "[hidden]" into selector #userPassword'],
    [
      'type "Ada" into "Name" then type "x y" into "Password" then tap "Go"',
      'type "Ada" into "Name" then type "[hidden]" into "Password" then tap "Go"',
    ],
  ];
  for (const [message, shown] of hidden)
    it(`are taken out: ${message}`, () => expect(withoutTypedSecrets(message)).to.equal(shown));

  for (const message of ['type "Ada" into "Name"', 'type "hot" into "Hotpot"', 'tap "Password"'])
    it(`are not seen where none is: ${message}`, () =>
      expect(withoutTypedSecrets(message)).to.equal(message));

  it('are found quickly in the longest message, however many quotes it opens', () => {
    const opened = 'type “'.repeat(3300);
    const before = process.cpuUsage();
    for (const message of [opened, `${opened}”`]) expect(withoutTypedSecrets(message)).to.equal(message);
    expect(process.cpuUsage(before).user).to.be.below(500_000);
  });
});

describe('what is typed into the field of a secret', () => {
  const type = (target: object): Intent => ({
    kind: 'interact',
    action: { kind: 'type', text: 'x', ...target },
  });
  const page = {
    url: 'http://a.example/',
    title: '',
    scroll: { y: 0, height: 1, view: 1 },
    elements: [
      { ref: 'e1', role: 'textbox', name: 'Your Password', in_view: true },
      { ref: 'e2', role: 'textbox', name: 'Name', in_view: true },
    ],
    headings: [],
    text: '',
    cut: false,
    dialog: null,
  };
  const isSensitive = (target: object) => {
    const [marked] = markSensitive([type(target)], page);
    return marked?.kind === 'interact' && 'sensitive' in marked.action && marked.action.sensitive;
  };

  it('is sensitive, however the field is named', () => {
    for (const target of [
      { ref: 'e1' },
      { label: 'Passcode' },
      { role: 'textbox', name: 'CVV' },
      { selector: '[type=password]' },
    ])
      expect(isSensitive(target), JSON.stringify(target)).to.equal(true);
  });

  it('stays as it is elsewhere', () => {
    expect(isSensitive({ ref: 'e2' })).to.equal(false);
    expect(isSensitive({ label: 'Notes', sensitive: true })).to.equal(true);
  });
});
