import type { Command } from 'commander';
import { loadConfig } from '../../config/index.ts';
import { isRole, roles } from '../roles/table.ts';
import { readStack } from '../supervisor/stack-file.ts';
import { show, tableOf, type Json } from './output.ts';

/** `service processes`: what runs on `DATA_DIR`, and where each process answers on this machine. */
export function processCommands(program: Command): void {
  program
    .command('processes')
    .description('the processes of the stack on DATA_DIR, with their addresses')
    .option('--json', 'print one JSON array')
    .action(({ json }: Json) => {
      const { DATA_DIR } = loadConfig(process.env);
      const stack = readStack(DATA_DIR);
      if (stack === undefined) throw new Error(`Nothing runs on ${DATA_DIR}.`);
      const processes = Object.entries(stack.processes).map(([name, pid]) => ({
        name,
        pid,
        url: isRole(name) ? `http://127.0.0.1:${stack.environment[roles[name].port]}` : null,
      }));
      const rows = processes.map(({ name, pid, url }) => [name, pid, url]);
      show(json, processes, tableOf([['process', 'pid', 'health and metrics'], ...rows]));
    });
}
