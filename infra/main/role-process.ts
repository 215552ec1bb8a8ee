import { systemClock } from '../clock.ts';
import { ConfigError, loadConfig } from '../config/index.ts';
import { createLogger } from '../logging/index.ts';
import { createHealth, createMetrics } from '../metrics/index.ts';
import { createLifetime } from './lifetime.ts';
import { installProcessRules } from './process-rules.ts';
import { isRole, roles, type RoleName } from './roles/table.ts';
import { serve } from './serve.ts';

/** One role in a process of its own: `role-process.ts <role>`. Tells its parent, if there is one, when it serves. */
async function runRole(name: RoleName): Promise<void> {
  const config = loadConfig(process.env);
  const logger = createLogger({ level: config.LOG_LEVEL, base: { role: name } });
  const lifetime = createLifetime(logger);
  installProcessRules({ logger, lifetime, limitMs: config.SHUTDOWN_LIMIT });

  const role: { port: keyof typeof config; host?: 'HOST' } = roles[name];
  const metrics = createMetrics(name);
  const compose = await roles[name].load();
  const { checks, app, started } = await compose({ config, logger, metrics, lifetime, clock: systemClock });
  const health = createHealth({ role: name, checks, metrics });
  const host = role.host === undefined ? '127.0.0.1' : config[role.host];
  const served = await serve({
    host,
    port: config[roles[name].port],
    errorsBase: config.ERRORS_BASE,
    health,
    ...(app && { app }),
  });
  lifetime.defer('http', () => served.close());
  await started?.(`http://${host}:${served.port}`);
  logger.info({ port: served.port }, 'serving');
  process.send?.({ ready: true });
}

const name = process.argv[2] ?? '';
try {
  if (!isRole(name))
    throw new ConfigError([`${name || 'nothing'} is not a role. Roles: ${Object.keys(roles).join(', ')}.`]);
  await runRole(name);
} catch (error) {
  const reason =
    error instanceof ConfigError ? error.message : error instanceof Error ? error.stack : String(error);
  process.stderr.write(`${name}: ${reason}\n`);
  process.exit(1);
}
