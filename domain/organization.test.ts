import type { OrganizationEvent } from '../contracts/events/organization.ts';
import { toId } from '../contracts/ids.ts';
import { organization, type OrganizationCommand } from './organization.ts';
import { commandBuilders, deciderSpec, eventBuilders } from './testing/index.ts';

const accountId = toId('account', '0197f1a0-0000-7000-8000-000000000002');
const said = { accountId, sealedFields: 'sealed1.one', at: '2026-01-05T12:00:00.000Z' };
const { OrganizationDescribed } = eventBuilders<OrganizationEvent>({ OrganizationDescribed: said });
const { DescribeOrganization } = commandBuilders<OrganizationCommand>({ DescribeOrganization: said });
const { given } = deciderSpec(organization);

describe('the organization of an account', () => {
  it('is replaced as a whole by each change', () => {
    const other = { sealedFields: 'sealed1.two' };
    given().when(DescribeOrganization()).then(OrganizationDescribed());
    given(OrganizationDescribed()).when(DescribeOrganization(other)).then(OrganizationDescribed(other));
    given(OrganizationDescribed()).when(DescribeOrganization()).nothing();
  });
});
