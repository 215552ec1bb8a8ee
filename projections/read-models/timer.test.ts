import { expect } from 'chai';
import { startReadSide, type ReadSide } from '../testing/index.ts';
import type { Life } from '../testing/life.ts';
import { tell } from '../testing/story.ts';

describe('the timers of a profile', () => {
  let side: ReadSide;
  before(async () => {
    side = await startReadSide();
    side.project();
  });
  after(() => side.close());

  it('end with the profile, also if it is purged while it is being saved', async () => {
    const kindsAfter = async (life: Pick<Life, 'as' | 'types'>) => {
      await tell(side, [{ category: 'profile', subject: '25', ...life }]);
      await side.caughtUp();
      const text = 'select kind from read_model.timers where subject_id like $1 order by kind';
      return (await side.rows(text, [`%${life.as}`])).map(({ kind }) => kind);
    };
    const types = ['ProfileCreated', 'ProfileBound', 'StateSaveStarted', 'ProfileTrashed'];
    const both = ['profile_purge', 'profile_save_lease'];
    expect(await kindsAfter({ as: '26', types })).to.deep.equal(both);
    expect(await kindsAfter({ as: '27', types: [...types, 'ProfilePurged'] })).to.deep.equal([]);
  });
});
