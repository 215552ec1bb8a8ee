import type { AccountId } from '../../../contracts/ids.ts';
import { listTeam } from '../../../projections/queries/team.ts';
import { systemClock } from '../../platform/clock.ts';
import type { ServiceCommand } from './command.ts';
import type { Operator } from './operator.ts';
import { tableOf, type Answer } from './output.ts';

/** `service team …` */
export function teamCommands(program: ServiceCommand): void {
  const group = program.command('team').description("who may act on an owner's account; no address is shown");
  group
    .command('list')
    .description("the members of the account's team, then its open invitations, as the read models have them")
    .ofAccount()
    .operates('array', list);
}

async function list({ pool }: Operator, { account }: { readonly account: AccountId }): Promise<Answer> {
  const value = await listTeam(pool, account, systemClock.now());
  const head = ['id', 'status', 'account', 'role', 'since', 'expires'];
  const cells = value.map((row) => [
    row.id,
    row.status,
    row.account_id,
    row.role,
    row.since.toISOString(),
    row.expires_at?.toISOString(),
  ]);
  return { value, lines: cells.length === 0 ? ['Nobody is on the team.'] : tableOf([head, ...cells]) };
}
