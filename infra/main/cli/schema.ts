import { commandEnvironment } from './environment.ts';
import { loadConfig, need } from '../../config/index.ts';
import { migrateAll } from '../migrations.ts';
import type { ServiceCommand } from './command.ts';
import type { Answer } from './output.ts';

/** `service migrate` */
export function migrateCommand(program: ServiceCommand): void {
  program
    .command('migrate')
    .description(
      'migrate the tables to this release, before its roles are started separately; npm start does this automatically',
    )
    .answers('object', migrate);
}

async function migrate(): Promise<Answer> {
  const applied = await migrateAll(need(loadConfig(commandEnvironment(process.env)), 'POSTGRES_URL'));
  return {
    value: { applied },
    lines: [`The tables are up to date with this release; migrations applied: ${applied.length}.`],
  };
}
