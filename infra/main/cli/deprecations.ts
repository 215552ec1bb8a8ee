import { deprecations } from '../../../contracts/deprecations.ts';
import { deprecationUsers } from '../../../projections/queries/deprecated-use.ts';
import type { ServiceCommand } from './command.ts';
import type { Operator } from './operator.ts';
import { listAnswer, type Answer } from './output.ts';

/** `service deprecations …` */
export function deprecationCommands(program: ServiceCommand): void {
  program
    .command('deprecations')
    .description('what is announced to go away')
    .command('list')
    .description('each with its dates, what replaces it, and how many accounts have used it since')
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
