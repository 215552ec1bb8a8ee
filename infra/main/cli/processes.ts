import type { ServiceCommand } from './command.ts';
import { loadConfig } from '../../config/index.ts';
import { isRole, roles } from '../roles/table.ts';
import { readStack } from '../supervisor/stack-file.ts';
import { headedTable } from './output.ts';

/** `service processes`: what runs on `DATA_DIR`, and where each process answers on this machine. */
export function processCommands(program: ServiceCommand): void {
  program
    .command('processes')
    .description('the processes of the stack on DATA_DIR, with their addresses')
    .answers('array', () => {
      const { DATA_DIR } = loadConfig(process.env);
      const stack = readStack(DATA_DIR);
      if (stack === undefined) throw new Error(`Nothing runs on ${DATA_DIR}.`);
      const value = Object.entries(stack.processes).map(([name, pid]) => ({
        name,
        pid,
        url: isRole(name) ? `http://127.0.0.1:${stack.environment[roles[name].port]}` : null,
      }));
      return {
        value,
        lines: headedTable(value, { process: 'name', pid: 'pid', 'health and metrics': 'url' }),
      };
    });
}
