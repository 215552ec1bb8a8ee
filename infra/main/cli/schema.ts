import { commandEnvironment } from './operator.ts';
import { loadConfig, need } from '../../config/index.ts';
import { migrateAll } from '../migrations.ts';
import type { ServiceCommand } from './command.ts';
import type { Answer } from './output.ts';

/** `service migrate` */
export function migrateCommand(program: ServiceCommand): void {
  program
    .command('migrate')
    .description(
      'bring the tables to what this release needs, before its roles are started apart; npm start does it by itself',
    )
    .answers('object', migrate);
}

async function migrate(): Promise<Answer> {
  const applied = await migrateAll(need(loadConfig(commandEnvironment(process.env)), 'POSTGRES_URL'));
  return {
    value: { applied },
    lines: [`The tables are what this release needs; ${applied.length} steps were missing.`],
  };
}
