import type { Command } from 'commander';
import { describeConfig, loadConfig } from '../../config/index.ts';
import { commandEnvironment } from './environment.ts';
import { show, tableOf, type Json } from './output.ts';

/** `service config …` */
export function configCommands(program: Command): void {
  program
    .command('config')
    .description('the configuration')
    .command('print')
    .description('every variable with the value in force here; secrets masked')
    .option('--json', 'print one JSON array')
    .action(({ json }: Json) => {
      const environment = commandEnvironment(process.env);
      loadConfig(environment);
      const rows = describeConfig(environment);
      show(
        json,
        rows,
        tableOf(rows.map(({ name, value, set }) => [name, value ?? '(unset)', set ? 'set' : ''])),
      );
    });
}
