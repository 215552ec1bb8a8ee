import { expect } from 'chai';

let hook: Mocha.Runnable | undefined;
before(function () {
  hook = this.test;
});

describe('a test file', () => {
  it('has a suite of its own, to which hooks outside of any describe belong', function () {
    const file = this.test?.parent?.parent;
    expect(file).to.include({ title: 'infra/verification/run/file-suites.test.ts' });
    expect(file?.parent?.root).to.equal(true);
    expect(hook?.parent).to.equal(file);
  });
});
