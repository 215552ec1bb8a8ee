import { organizationEvents, type OrganizationEvent } from '../contracts/events/organization.ts';
import type { AccountId } from '../contracts/ids.ts';
import { decideBy, type CommandsOf, type Decider } from './kit/decider.ts';

export interface OrganizationState {
  /** Null: never set. */
  readonly sealedFields: string | null;
}

export type OrganizationCommand = CommandsOf<{
  DescribeOrganization: { accountId: AccountId; sealedFields: string };
}>;

/** An account's statement about its users; the latest counts. */
export const organization: Decider<OrganizationState, OrganizationCommand, OrganizationEvent> = {
  category: organizationEvents,
  initialState: { sealedFields: null },
  decide: decideBy<OrganizationState, OrganizationCommand, OrganizationEvent>({
    DescribeOrganization: (state, { type: _, ...data }) =>
      state.sealedFields === data.sealedFields ? [] : [{ type: 'OrganizationDescribed', data }],
  }),
  evolve: (_state, { data: { sealedFields } }) => ({ sealedFields }),
  snapshotEvery: 200,
};
