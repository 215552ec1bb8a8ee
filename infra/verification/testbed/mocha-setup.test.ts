import { expect } from 'chai';

describe('a rejection that nobody handles', () => {
  it('fails the test in which it happens', () => {
    const reason = new Error('Nobody handles it.');
    expect(() => process.emit('unhandledRejection', reason, Promise.resolve())).to.throw(reason.message);
  });
});
