import { expect } from 'chai';
import { answersIn, firstMissing, scriptIn } from './walkthrough.ts';

const page = [
  '```sh',
  'npm start',
  '```',
  'Then',
  '```bash',
  'echo one',
  '# => one',
  '```',
  '```bash',
  'echo {two}',
  '# => {…}',
  '```',
].join('\n');

describe('a walkthrough', () => {
  it('is the blocks fenced as bash', () => {
    expect(scriptIn(page)).to.equal('echo one\n# => one\n\necho {two}\n# => {…}\n');
  });

  it('has each answer on a line of its own, in order', () => {
    const answers = answersIn(page);
    expect(answers).to.deep.equal(['one', '{…}']);
    expect(firstMissing(answers, 'zero\none\n{two}\n')).to.equal(undefined);
    expect(firstMissing(answers, '{two}\none\n')).to.equal('{…}');
    expect(firstMissing(answers, 'one more\n{two}\n')).to.equal('one');
  });
});
