import { expect } from 'chai';
import { loadConfig } from '../../config/index.ts';
import { heartbeatEveryMs } from './settings.ts';

describe('the interval of heartbeats', () => {
  it('fits several times into every lease, however short', () => {
    for (const leases of [{}, { TURN_LEASE: '6s' }, { TURN_LEASE: '900ms' }, { PAIR_HEARTBEAT: '2s' }]) {
      const config = loadConfig(leases);
      // A turn sends three within its lease, none of which may be dropped.
      expect(heartbeatEveryMs(config), JSON.stringify(leases)).to.be.below(config.TURN_LEASE / 3);
      expect(heartbeatEveryMs(config)).to.be.below(config.PAIR_HEARTBEAT / 3);
    }
  });

  it('is three seconds with the default leases', () => {
    expect(heartbeatEveryMs(loadConfig({}))).to.equal(3000);
  });
});
