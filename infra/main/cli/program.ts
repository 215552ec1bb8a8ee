import { ServiceCommand } from './command.ts';

type Add = (program: ServiceCommand) => void;

/**
 * How each command is added to the program, by its name, in the order of the help. A command's module is loaded when it is called:
 * all of them together take longer to load than most commands take to run.
 */
const commands: Readonly<Record<string, () => Promise<Add>>> = {
  doctor: async () => (await import('./doctor.ts')).doctorCommand,
  migrate: async () => (await import('./schema.ts')).migrateCommand,
  account: async () => (await import('./accounts.ts')).accountCommands,
  'sessions-of': async () => (await import('./account-views.ts')).sessionsOfCommand,
  key: async () => (await import('./keys.ts')).keyCommands,
  team: async () => (await import('./team.ts')).teamCommands,
  trace: async () => (await import('./trace.ts')).traceCommands,
  events: async () => (await import('./events.ts')).eventCommands,
  projections: async () => (await import('./projections.ts')).projectionCommands,
  reactions: async () => (await import('./reactions.ts')).reactionCommands,
  'as-of': async () => (await import('./as-of.ts')).asOfCommand,
  audit: async () => (await import('./audit.ts')).auditCommands,
  deliveries: async () => (await import('./deliveries.ts')).deliveryCommands,
  mail: async () => (await import('./mail.ts')).mailCommands,
  incident: async () => (await import('./incidents.ts')).incidentCommands,
  agents: async () => (await import('./agents.ts')).agentCommands,
  billing: async () => (await import('./billing.ts')).billingCommands,
  profiles: async () => (await import('./profiles.ts')).profileCommands,
  deprecations: async () => (await import('./deprecations.ts')).deprecationCommands,
  orders: async () => (await import('./orders.ts')).orderCommands,
  nodes: async () => (await import('./nodes.ts')).nodeCommands,
  fleet: async () => (await import('./fleet.ts')).fleetCommands,
  certificates: async () => (await import('./certificates.ts')).certificateCommands,
  config: async () => (await import('./config.ts')).configCommands,
  'console-link': async () => (await import('./console-link.ts')).consoleLinkCommand,
  'operator-console': async () => (await import('./operator-console.ts')).operatorConsoleCommand,
  mcp: async () => (await import('./mcp.ts')).mcpCommand,
  secrets: async () => (await import('./secrets.ts')).secretCommands,
  processes: async () => (await import('./processes.ts')).processCommands,
  'log-level': async () => (await import('./log-level.ts')).logLevelCommand,
  'support-bundle': async () => (await import('./support-bundle.ts')).supportBundleCommand,
};

/**
 * `npm run service -- <command>`: uses the stack that runs on `DATA_DIR`, or the stores in the environment. `name`:
 * the only command to load; if there is no such command, all are loaded.
 */
export async function serviceProgram(name?: string): Promise<ServiceCommand> {
  const program = new ServiceCommand('service')
    .description('The operator’s commands. Each takes --help, and --json for one machine-readable answer.')
    .configureOutput({
      outputError: (text, write) =>
        write(`${text.trim().replaceAll(/\s*\n\s*/g, ' ')} (use --help for details)\n`),
    });
  const named = Object.entries(commands).filter(([each]) => each === name);
  for (const [, load] of named.length > 0 ? named : Object.entries(commands)) (await load())(program);
  return program;
}
