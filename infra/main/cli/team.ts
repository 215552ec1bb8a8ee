import type { AccountId } from '../../../contracts/ids.ts';
import { listTeam } from '../../../projections/queries/team.ts';
import { systemClock } from '../../platform/clock.ts';
import type { ServiceCommand } from './command.ts';
import { assertAccount, type Operator } from './operator.ts';
import { listAnswer, type Answer } from './output.ts';

/** `service team …` */
export function teamCommands(program: ServiceCommand): void {
  const group = program.command('team').description("members of accounts' teams; addresses are not shown");
  group
    .command('list')
    .description("list the members of the account's team, then its open invitations, from the read models")
    .ofAccount()
    .operates('array', list);
}

async function list(
  { pool, store }: Operator,
  { account }: { readonly account: AccountId },
): Promise<Answer> {
  await assertAccount({ store }, account);
  return listAnswer(
    await listTeam(pool, account, systemClock.now()),
    'The team has no members and no open invitations.',
    {
      ...{ id: 'id', status: 'status', account: 'account_id' },
      ...{ role: 'role', since: 'since', expires: 'expires_at' },
    },
  );
}
