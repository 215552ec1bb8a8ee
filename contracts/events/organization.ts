import { Type, Timestamp, closed } from '../schema.ts';
import { idSchema } from '../ids.ts';
import { category, entryOn, type EventOf } from './catalogue.ts';

const entry = entryOn('account');

/** `organization-<account uuid>`: the account owner's statement about its users. */
export const organizationEvents = category(
  'organization',
  {
    OrganizationDescribed: closed({
      accountId: idSchema('account'),
      /** All fields as JSON, sealed with the account's data key: they are personal data. */
      sealedFields: Type.String(),
      at: Timestamp,
    }),
  },
  { audit: { OrganizationDescribed: ({ accountId }) => entry('organization.updated', accountId) } },
);
export type OrganizationEvent = EventOf<typeof organizationEvents>;
