import { expect } from 'chai';
import { filesToRunAgain, without } from './again.ts';
import type { Report } from './mocha.ts';

const report = (...files: readonly (readonly [path: string, ...failures: string[]])[]): Report => ({
  name: 'rest',
  files: files.map(([path]) => ({ path, passed: 2, ms: 10 })),
  failures: files.flatMap(([file, ...failures]) => failures.map((text) => ({ file, text }))),
});

describe('files that failed beside others', () => {
  it('are run again, each once', () => {
    const reports = [report(['a', 'one', 'two'], ['b']), report(['c', 'three'])];
    expect(filesToRunAgain(reports)).to.deep.equal(['a', 'c']);
  });

  it('are not run again when they are many', () => {
    const many = Array.from({ length: 17 }, (_each, index) => [`file ${index}`, 'failed'] as const);
    expect(filesToRunAgain([report(...many)])).to.deep.equal([]);
  });

  it('are not run again when a test process ended without a report', () => {
    const broken: Report = {
      name: 'rest',
      files: [],
      failures: [{ file: 'b c', text: 'ended with SIGKILL' }],
    };
    expect(filesToRunAgain([report(['a', 'one']), broken])).to.deep.equal([]);
  });

  it('are judged by their second run only', () => {
    expect(without(report(['a', 'one'], ['b'], ['c', 'two']), ['a'])).to.deep.equal(
      report(['b'], ['c', 'two']),
    );
  });
});
