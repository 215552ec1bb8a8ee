import { expect } from 'chai';
import fc from 'fast-check';
import { v5 } from 'uuid';
import { uuidV5 } from './uuid-v5.ts';

describe('an id that derives from a name', () => {
  it('is the one of the package uuid, for names in ASCII and others', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.string({ unit: 'binary' })),
        fc.uuid(),
        (name, namespace) => uuidV5(name, namespace) === v5(name, namespace),
      ),
    );
  });

  it('needs a UUID as its namespace', () => {
    for (const namespace of ['', 'account', 'z'.repeat(32)])
      expect(() => uuidV5('name', namespace)).to.throw(TypeError);
  });
});
