import { systemClock } from '../platform/clock.ts';
import { ConfigError, loadConfig, type Config } from '../config/index.ts';
import { createLogger } from '../logging/index.ts';
import { createHealth, createMetrics } from '../metrics/index.ts';
import { collectGarbageOnceServing } from './collect-garbage.ts';
import { createLifetime } from './lifetime.ts';
import { installProcessRules } from './process-rules.ts';
import type { RoleContext } from './roles/role.ts';
import { isRole, portVariables, roleNames, roles, type RoleName } from './roles/table.ts';
import { serve } from './serve.ts';

/** One role in a process of its own: `run.mjs role <role>`. Tells its parent, if there is one, when it serves. */
async function runRole(name: RoleName, config: Config): Promise<void> {
  const logger = createLogger({ level: config.LOG_LEVEL, base: { role: name } });
  const lifetime = createLifetime(logger);
  const metrics = createMetrics(name);
  const opening = open(name, { config, logger, metrics, lifetime, clock: systemClock });
  installProcessRules({ logger, lifetime, opening: () => opening, limitMs: config.SHUTDOWN_LIMIT });
  try {
    const port = await opening;
    logger.info({ port }, 'Serving.');
    collectGarbageOnceServing();
    process.send?.({ ready: true });
  } catch (error) {
    logger.fatal({ err: error }, 'Could not start.');
    await lifetime.close();
    throw portInUse(error, config) ?? error;
  }
}

/** Composes the role and serves its health, its metrics and what else it answers. Gives the port. */
async function open(name: RoleName, context: RoleContext): Promise<number> {
  const { config, metrics, lifetime } = context;
  const role: { port: (typeof roles)[RoleName]['port']; host?: 'HOST' } = roles[name];
  const compose = await roles[name].load();
  const { checks, app, drain, requestTimeoutMs } = await compose(context);
  const served = await serve({
    host: role.host === undefined ? '127.0.0.1' : config[role.host],
    port: config[role.port],
    errorsBase: config.ERRORS_BASE,
    health: createHealth({ role: name, checks, metrics }),
    ...(app && { app }),
    ...(drain && { drain }),
    requestTimeoutMs,
  });
  lifetime.defer('http', () => served.close());
  return served.port;
}

/** Says which variable names the port on which something else listens. */
function portInUse(error: unknown, config: Config): ConfigError | undefined {
  if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE' && 'port' in error)) return;
  const variable = portVariables.find((each) => config[each] === error.port);
  return (
    variable &&
    new ConfigError([`${variable} is ${config[variable]}, which is in use. Set it to another port.`])
  );
}

const name = process.argv[2] ?? '';
try {
  if (!isRole(name)) throw new ConfigError([`"${name}" is not a role. Roles: ${roleNames.join(', ')}.`]);
  await runRole(name, loadConfig(process.env));
} catch (error) {
  process.stderr.write(`${name}: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
