import { organizationField, type Organization } from '../contracts/resources/organization.ts';
import { uuidOf, type AccountId } from '../contracts/ids.ts';
import { organization } from '../domain/organization.ts';
import type { Vault } from '../infra/vault/index.ts';
import { now, ownedStep, type CommandContext } from './engine/context.ts';
import type { CommandPorts } from './engine/runner.ts';

export interface OrganizationPorts extends CommandPorts {
  readonly vault: Pick<Vault, 'seal'>;
}

/** Replaces the account's statement about its users. Returns the position of the event. */
export async function describeOrganization(
  ports: OrganizationPorts,
  accountId: AccountId,
  fields: Organization,
  context: CommandContext,
) {
  const sealedFields = await ports.vault.seal(accountId, organizationField, JSON.stringify(fields));
  const command = { type: 'DescribeOrganization', accountId, sealedFields, at: now(ports) } as const;
  const step = ownedStep(context, accountId, 'describe-organization');
  const { position } = await ports.runner.run(organization, uuidOf(accountId), command, step);
  return position;
}
