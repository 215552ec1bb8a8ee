import { expect } from 'chai';
import { environmentOf } from './secrets.ts';

describe('the variables of a stack’s processes', () => {
  it('are those given, and the secrets of the data directory for all that are not, or empty', () => {
    const secrets = { MASTER_KEY: 'kept', CURSOR_KEY: 'kept', KEY_PEPPER: 'kept' };
    const given = { MASTER_KEY: '', CURSOR_KEY: undefined, KEY_PEPPER: 'given', PORT: '80' };
    expect(environmentOf(secrets, given, { PORT: '8080' })).to.deep.equal({
      ...{ MASTER_KEY: 'kept', CURSOR_KEY: 'kept' },
      ...{ KEY_PEPPER: 'given', PORT: '8080' },
    });
  });
});
