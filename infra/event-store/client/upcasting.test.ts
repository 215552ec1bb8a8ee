import { expect } from 'chai';
import { createUpcast } from './decoding.ts';

describe('upcasting', () => {
  const upcast = createUpcast({
    session: {
      SessionReady: [
        (data) => ({ ...(data as object), at: 'then' }),
        (data) => ({ ...(data as object), by: 'node' }),
      ],
    },
  });

  it('applies every step from the version written to the current one', () => {
    expect(upcast('session', 'SessionReady', 1, { id: 1 })).to.deep.equal({ id: 1, at: 'then', by: 'node' });
    expect(upcast('session', 'SessionReady', 2, { id: 1 })).to.deep.equal({ id: 1, by: 'node' });
    expect(upcast('session', 'SessionReady', 3, { id: 1 })).to.deep.equal({ id: 1 });
  });

  it('leaves a version newer than this process knows as it is', () => {
    expect(upcast('session', 'SessionReady', 9, { id: 1, new: true })).to.deep.equal({ id: 1, new: true });
  });

  it('leaves unknown types and unreadable data as they are', () => {
    expect(upcast('session', 'SessionTeleported', 1, { id: 1 })).to.deep.equal({ id: 1 });
    expect(upcast('nothing', 'SessionReady', 1, { id: 1 })).to.deep.equal({ id: 1 });
    expect(upcast('session', 'SessionReady', 1, undefined)).to.equal(undefined);
  });
});
