import { expect } from 'chai';
import type { DeprecatedUseEvent } from '../contracts/events/deprecated-use.ts';
import { toId } from '../contracts/ids.ts';
import { deprecatedUse, type DeprecatedUseCommand } from './deprecated-use.ts';
import { commandBuilders, deciderSpec, eventBuilders } from './testing/index.ts';

const accountId = toId('account', '0197f1a0-0000-7000-8000-000000000002');
const use = { accountId, deprecationId: 'old-route', day: '2026-12-01', at: '2026-12-01T10:00:00.000Z' };
const { DeprecationUsed } = eventBuilders<DeprecatedUseEvent>({ DeprecationUsed: use });
const { RecordDeprecatedUse } = commandBuilders<DeprecatedUseCommand>({ RecordDeprecatedUse: use });
const { given } = deciderSpec(deprecatedUse);
const later = { day: '2026-12-03' };

describe('an account’s use of something deprecated', () => {
  it('is recorded once a day and entry', () => {
    given().when(RecordDeprecatedUse()).then(DeprecationUsed());
    given(DeprecationUsed()).when(RecordDeprecatedUse()).nothing();
    given(DeprecationUsed()).when(RecordDeprecatedUse(later)).then(DeprecationUsed(later));
    const other = { deprecationId: 'old-field' };
    given(DeprecationUsed()).when(RecordDeprecatedUse(other)).then(DeprecationUsed(other));
  });

  it('is not recorded for a day before the last one', () => {
    given(DeprecationUsed(later)).when(RecordDeprecatedUse()).nothing();
  });

  it('has the first day, the last one, and their number', () => {
    given(DeprecationUsed())
      .when(RecordDeprecatedUse(later))
      .leaves((uses) =>
        expect(uses).to.deep.equal({
          'old-route': { firstDay: '2026-12-01', lastDay: '2026-12-03', days: 2 },
        }),
      );
  });
});
