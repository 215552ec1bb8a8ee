import { deprecatedUseEvents, type DeprecatedUseEvent } from '../contracts/events/deprecated-use.ts';
import type { AccountId } from '../contracts/ids.ts';
import type { DeprecatedUse } from '../contracts/resources/deprecation.ts';
import { decideBy, type CommandsOf, type Decider } from './kit/decider.ts';

/** By the entry's id. */
export type DeprecatedUses = Readonly<Record<string, DeprecatedUse>>;

export type DeprecatedUseCommand = CommandsOf<{
  RecordDeprecatedUse: { accountId: AccountId; deprecationId: string; day: string };
}>;

/** Records nothing for the latest recorded day or an earlier one. */
export const deprecatedUse: Decider<DeprecatedUses, DeprecatedUseCommand, DeprecatedUseEvent> = {
  category: deprecatedUseEvents,
  initialState: {},
  decide: decideBy<DeprecatedUses, DeprecatedUseCommand, DeprecatedUseEvent>({
    RecordDeprecatedUse: (uses, { type: _, ...data }) => {
      const last = uses[data.deprecationId]?.lastDay ?? '';
      return data.day <= last ? [] : [{ type: 'DeprecationUsed', data }];
    },
  }),
  evolve: (uses, { data: { deprecationId, day } }) => {
    const { firstDay = day, days = 0 } = uses[deprecationId] ?? {};
    return { ...uses, [deprecationId]: { firstDay, lastDay: day, days: days + 1 } };
  },
  snapshotEvery: 200,
};
