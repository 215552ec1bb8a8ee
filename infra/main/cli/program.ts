import { accountCommands } from './accounts.ts';
import { sessionsOfCommand } from './account-views.ts';
import { agentCommands } from './agents.ts';
import { asOfCommand } from './as-of.ts';
import { auditCommands } from './audit.ts';
import { ServiceCommand } from './command.ts';
import { billingCommands } from './billing.ts';
import { certificateCommands } from './certificates.ts';
import { configCommands } from './config.ts';
import { consoleLinkCommand } from './console-link.ts';
import { deliveryCommands } from './deliveries.ts';
import { deprecationCommands } from './deprecations.ts';
import { doctorCommand } from './doctor.ts';
import { eventCommands } from './events.ts';
import { fleetCommands } from './fleet.ts';
import { incidentCommands } from './incidents.ts';
import { keyCommands } from './keys.ts';
import { logLevelCommand } from './log-level.ts';
import { mailCommands } from './mail.ts';
import { mcpCommand } from './mcp.ts';
import { nodeCommands } from './nodes.ts';
import { operatorConsoleCommand } from './operator-console.ts';
import { orderCommands } from './orders.ts';
import { processCommands } from './processes.ts';
import { profileCommands } from './profiles.ts';
import { projectionCommands } from './projections.ts';
import { reactionCommands } from './reactions.ts';
import { secretCommands } from './secrets.ts';
import { migrateCommand } from './schema.ts';
import { supportBundleCommand } from './support-bundle.ts';
import { traceCommands } from './trace.ts';
import { teamCommands } from './team.ts';

/** `npm run service -- <command>`: uses the stack that runs on `DATA_DIR`, or the stores in the environment. */
export const program = new ServiceCommand('service')
  .description('The operator’s commands. Each takes --help, and --json for one machine-readable answer.')
  .configureOutput({
    outputError: (text, write) =>
      write(`${text.trim().replaceAll(/\s*\n\s*/g, ' ')} (use --help for details)\n`),
  });
for (const add of [
  doctorCommand,
  migrateCommand,
  accountCommands,
  sessionsOfCommand,
  keyCommands,
  teamCommands,
  traceCommands,
  eventCommands,
  projectionCommands,
  reactionCommands,
  asOfCommand,
  auditCommands,
  deliveryCommands,
  mailCommands,
  incidentCommands,
  agentCommands,
  billingCommands,
  profileCommands,
  deprecationCommands,
  orderCommands,
  nodeCommands,
  fleetCommands,
  certificateCommands,
  configCommands,
  consoleLinkCommand,
  operatorConsoleCommand,
  mcpCommand,
  secretCommands,
  processCommands,
  logLevelCommand,
  supportBundleCommand,
]) {
  add(program);
}
