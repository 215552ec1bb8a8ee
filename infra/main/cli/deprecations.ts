import { deprecations } from '../../../contracts/deprecations.ts';
import { deprecationUsers } from '../../../projections/queries/deprecated-use.ts';
import type { ServiceCommand } from './command.ts';
import type { Operator } from './operator.ts';
import { listAnswer, type Answer } from './output.ts';

/** `service deprecations …` */
export function deprecationCommands(program: ServiceCommand): void {
  program
    .command('deprecations')
    .description('deprecated routes and fields of the API')
    .command('list')
    .description(
      'list each with its dates, its replacement, and the number of accounts that have used it since',
    )
    .operates('array', list);
}

async function list({ pool }: Operator): Promise<Answer> {
  const users = await deprecationUsers(pool);
  const value = deprecations.map(({ id, route, field, announced, sunset, replacement }) => ({
    ...{ id, route, field: field?.name ?? null, announced, sunset, replacement },
    accounts: users.get(id)?.accounts ?? 0,
    last_used: users.get(id)?.lastDay ?? null,
  }));
  return listAnswer(value, 'Nothing is deprecated.', {
    deprecation: 'id',
    ...{ route: 'route', field: 'field', announced: 'announced', sunset: 'sunset' },
    ...{ replacement: 'replacement', accounts: 'accounts', 'last used': 'last_used' },
  });
}
