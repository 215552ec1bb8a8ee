import { expect } from 'chai';
import { loadConfig } from '../../config/index.ts';
import { heartbeatEveryMs } from './settings.ts';

describe('heartbeats that are taken for one', () => {
  it('leave several of them to each lease, however short it is', () => {
    for (const leases of [{}, { TURN_LEASE: '6s' }, { TURN_LEASE: '900ms' }, { PAIR_HEARTBEAT: '2s' }]) {
      const config = loadConfig(leases);
      // A turn sends three within its lease, none of which may be dropped.
      expect(heartbeatEveryMs(config), JSON.stringify(leases)).to.be.below(config.TURN_LEASE / 3);
      expect(heartbeatEveryMs(config)).to.be.below(config.PAIR_HEARTBEAT / 3);
    }
  });

  it('are those of three seconds where leases are as long as usual', () => {
    expect(heartbeatEveryMs(loadConfig({}))).to.equal(3000);
  });
});
