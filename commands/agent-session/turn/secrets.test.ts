import { expect } from 'chai';
import type { Intent } from '../../../contracts/resources/agent-turn.ts';
import { guessedSecrets, secretsIn, shownIntent, withoutSecrets } from './secrets.ts';

const type = (text: string, more: object = {}): Intent => ({
  kind: 'interact',
  action: { kind: 'type', label: 'Key', text, ...more },
});

describe('what looks like a secret in a message', () => {
  const guesses: readonly (readonly [string, readonly string[]])[] = [
    ['my password is hunter2', ['hunter2']],
    ['Password: correct-horse.', ['correct-horse']],
    ['log in with the password "two words", please', ['two words']],
    ['the PIN is 1234 and the OTP is 998877', ['1234', '998877']],
    ['use token abc-DEF-123', ['abc-DEF-123']],
    ['api key=sk-ant-1', ['sk-ant-1']],
    ['the security code “12 34” is on the card', ['12 34']],
    ['change the password on the settings page', []],
    ['tell me whether the password field is there', []],
    ['what is a token ring?', []],
    ['read the promo code out', []],
    ['check that the password is a strong one', []],
    ['tell me whether the PIN is an issue, or the token is not', []],
    ['log in with the password correct', ['correct']],
    ['the PIN is 123', ['123']],
    ['the PIN is 12', []],
    ['the password is sôt, in either form', []],
    ['the password is sôt, in either form'.normalize('NFD'), []],
    ['the password is sôts', ['sôts']],
  ];
  for (const [message, secrets] of guesses)
    it(`is ${secrets.length === 0 ? 'nothing' : secrets.join(' and ')} in: ${message}`, () => {
      expect(guessedSecrets(message)).to.deep.equal(secrets);
    });
});

describe('a secret that a message names thousands of times', () => {
  it('is masked once', () => {
    const message = `${'pin:"a"'.repeat(1_667)}${'a'.repeat(8_331)}`;
    const before = process.cpuUsage();
    expect(withoutSecrets(message, guessedSecrets(message))).not.to.contain('a');
    expect(process.cpuUsage(before).user).to.be.below(2_000_000);
  });
});

describe('the text of a sensitive step', () => {
  const secrets = secretsIn([
    type('hunter2', { sensitive: true }),
    type('Ada'),
    type('', { sensitive: true }),
  ]);

  it('is masked in every text, the longest first', () => {
    expect(secrets).to.deep.equal(['hunter2']);
    expect(withoutSecrets('hunter2 and hunter22', ['hunter2', 'hunter22'])).to.equal('[hidden] and [hidden]');
  });

  it('is left out of the step, which is shown as sensitive', () => {
    const shown = { kind: 'interact', action: { kind: 'type', label: 'Key', sensitive: true } };
    expect(shownIntent(type('hunter2', { sensitive: true }), secrets)).to.deep.equal(shown);
    expect(shownIntent(type('xhunter2x'), secrets)).to.deep.equal(shown);
    expect(shownIntent(type('Ada'), secrets)).to.deep.equal(type('Ada'));
  });

  it('is masked in other steps, but not in their targets', () => {
    const wait = (text: string): Intent => ({ kind: 'wait', condition: { kind: 'text', text } });
    expect(shownIntent(wait('Hello hunter2'), secrets)).to.deep.equal(wait('Hello [hidden]'));
    const tap: Intent = { kind: 'interact', action: { kind: 'tap', selector: '#hunter2' } };
    expect(shownIntent(tap, secrets)).to.deep.equal(tap);
  });

  it('is left out like the contents of files', () => {
    const file = { name: 'a.txt', data_base64: 'QQ==' };
    const upload: Intent = { kind: 'interact', action: { kind: 'upload', label: 'File', files: [file] } };
    expect(shownIntent(upload, [])).to.deep.equal({
      kind: 'interact',
      action: { kind: 'upload', label: 'File', files: [{ name: 'a.txt' }] },
    });
  });
});
