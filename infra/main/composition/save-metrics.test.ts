import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { toId, uuidOf } from '../../../contracts/ids.ts';
import { events, savedState } from '../../../domain/profile/testing.ts';
import { anAccount, by, startReadSide, type ReadSide } from '../../../projections/testing/index.ts';
import { createMetrics } from '../../metrics/index.ts';
import { projectionGauges } from './metrics.ts';

const accountId = anAccount();
const began = '2026-01-05T12:00:00.000Z';
const ended = '2026-01-05T12:00:02.000Z';

describe('metrics of saves', () => {
  let side: ReadSide;
  before(async () => {
    side = await startReadSide();
  });
  after(() => side.close());

  const profile = async (...of: ('StateSaveStarted' | 'StateSaved' | 'StateSaveFailed')[]) => {
    const profileId = toId('profile', randomUUID());
    const about = { profileId, accountId };
    const made = {
      StateSaveStarted: events.StateSaveStarted({ ...about, at: began }),
      StateSaved: events.StateSaved({ ...about, state: savedState(1, 1234), at: ended }),
      StateSaveFailed: events.StateSaveFailed({ ...about, reason: 'too_large', at: ended }),
    };
    const bound = [events.ProfileCreated(about), events.ProfileBound(about)];
    await side.append(
      `profile-${uuidOf(profileId)}`,
      [...bound, ...of.map((type) => made[type])],
      by(accountId),
    );
  };

  it('count saves by outcome, with their bytes and durations', async () => {
    const metrics = createMetrics('test');
    const { observer } = projectionGauges(metrics, side.postgres.pool);
    side.project({ observer });
    await profile('StateSaveStarted', 'StateSaved');
    await profile('StateSaveStarted', 'StateSaved');
    await profile('StateSaveStarted', 'StateSaveFailed');
    await profile('StateSaveStarted');
    await side.caughtUp();
    const { text } = await metrics.page();
    const lines = text.split('\n').filter((line) => line.startsWith('service_profile_save'));
    const value = (name: string, label = '') =>
      lines.find((line) => line.startsWith(`${name}{`) && line.includes(label))?.split(' ')[1];
    expect(value('service_profile_saves_total', 'outcome="saved"')).to.equal('2');
    expect(value('service_profile_saves_total', 'outcome="too_large"')).to.equal('1');
    expect(value('service_profile_saved_bytes_total')).to.equal('2468');
    expect(value('service_profile_save_duration_seconds_sum', 'outcome="saved"')).to.equal('4');
    expect(value('service_profile_save_duration_seconds_count', 'outcome="too_large"')).to.equal('1');
  });
});
