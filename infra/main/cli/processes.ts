import type { ServiceCommand } from './command.ts';
import { loadConfig } from '../../config/index.ts';
import { isRole } from '../roles/table.ts';
import { healthUrl } from '../supervisor/addresses.ts';
import { readStack } from '../supervisor/stack-file.ts';
import { commandEnvironment } from './environment.ts';
import { headedTable } from './output.ts';

/** `service processes`: the processes of `DATA_DIR`, and their addresses on this machine. */
export function processCommands(program: ServiceCommand): void {
  program
    .command('processes')
    .description('list the running processes of the stack on DATA_DIR, with their addresses')
    .answers('array', () => {
      const config = loadConfig(commandEnvironment(process.env));
      const stack = readStack(config.DATA_DIR);
      if (stack === undefined) throw new Error(`No service is running on ${config.DATA_DIR}.`);
      const value = Object.entries(stack.processes).map(([name, pid]) => ({
        name,
        pid,
        url: isRole(name) ? healthUrl(config, stack.environment, name) : null,
      }));
      return {
        value,
        lines: headedTable(value, { process: 'name', pid: 'pid', 'health and metrics': 'url' }),
      };
    });
}
