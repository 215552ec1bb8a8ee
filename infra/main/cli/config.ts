import type { ServiceCommand } from './command.ts';
import { describeConfig, loadConfig } from '../../config/index.ts';
import { commandEnvironment } from './environment.ts';
import { tableOf } from './output.ts';

/** `service config …` */
export function configCommands(program: ServiceCommand): void {
  const config = program.command('config').description('the configuration');
  config
    .command('print')
    .description('print every variable with its value in this environment; secrets are masked')
    .answers('array', () => {
      const environment = commandEnvironment(process.env);
      loadConfig(environment);
      const value = describeConfig(environment);
      const rows = value.map((row) => [row.name, row.value ?? '(unset)', row.set ? 'set' : '']);
      return { value, lines: tableOf(rows) };
    });
}
