import { systemClock } from '../../platform/clock.ts';
import {
  ConfigError,
  configuredSecrets,
  loadConfig,
  takeSecretFiles,
  type Config,
} from '../../config/index.ts';
import { createLogger } from '../../logging/index.ts';
import { createLevelRoute } from '../../logging/level-route.ts';
import { createHealth, createMetrics } from '../../metrics/index.ts';
import { messageOf } from '../../platform/error-message.ts';
import { assertNoPlain, openTls } from '../composition/peers.ts';
import { openTracing } from '../composition/tracing.ts';
import { collectGarbageOnceServing } from '../collect-garbage.ts';
import { createLifetime } from '../lifetime.ts';
import { keepFilesPrivate } from '../private-files.ts';
import { installProcessRules } from '../process-rules.ts';
import { shedLoad } from './load-shedding.ts';
import type { ComposeRole, RoleContext } from './role.ts';
import {
  bodyPace,
  finishLimitMs,
  isPublic,
  noticeMs,
  portVariables,
  requestTimeoutMs,
  roles,
  stopLimitMs,
  type RoleEntry,
  type RoleName,
} from './table.ts';
import { serve } from '../serve.ts';

/** Runs one role in its own process. Notifies its parent, if there is one, when it serves. */
export function runRole(name: RoleName, compose: ComposeRole): void {
  run(name, compose).catch((error: unknown) => {
    process.stderr.write(`${name}: ${messageOf(error)}\n`);
    process.exit(1);
  });
}

async function run(name: RoleName, compose: ComposeRole): Promise<void> {
  keepFilesPrivate();
  takeSecretFiles(process.env);
  const config = loadConfig(process.env);
  const logger = createLogger({
    level: config.LOG_LEVEL,
    base: { role: name },
    secrets: configuredSecrets(process.env),
  });
  const lifetime = createLifetime(logger);
  const metrics = createMetrics(name);
  const opening = open(name, compose, { name, config, logger, metrics, lifetime, clock: systemClock });
  installProcessRules({ logger, lifetime, opening: () => opening, limitMs: stopLimitMs(config, name) });
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

/** Composes the role and serves it, with health and metrics. Returns the port. */
async function open(name: RoleName, compose: ComposeRole, context: RoleContext): Promise<number> {
  const { config, metrics, lifetime } = context;
  const { METRICS_TOKEN: token, ERRORS_BASE: errorsBase } = config;
  const role: RoleEntry = roles[name];
  assertNoPlain(config);
  await openTracing(context);
  const tls = openWatchedTls(context);
  const composed = shedLoad(name, context, await compose({ ...context, tls }));
  const { checks, degradations, app, upgrade, drain, idle } = composed;
  const served = await serve({
    host: config[role.host ?? 'INTERNAL_HOST'],
    tls: isPublic(name) ? undefined : tls,
    port: config[role.port],
    errorsBase,
    health: createHealth({ role: name, checks, degradations, metrics, token, errorsBase }),
    levelRoute: createLevelRoute({
      logger: context.logger,
      token: config.OPERATOR_TOKEN,
      errorsBase,
    }),
    ...(app && { app }),
    ...(drain && { drain }),
    ...{ upgrade, idle },
    requestTimeoutMs: requestTimeoutMs(name),
    bodyPace: bodyPace(name),
    noticeMs: noticeMs(config, name),
    closeMs: finishLimitMs(config),
  });
  lifetime.defer('http', () => served.close());
  return served.port;
}

/** TLS between processes, with a metric by which its end is noticed in time. */
function openWatchedTls(context: RoleContext): ReturnType<typeof openTls> {
  const tls = openTls(context);
  const help = 'When the certificate for other processes ends, in seconds since 1970';
  context.metrics.gauge('service_certificate_expiry_timestamp_seconds', help, () => tls?.expiresAt() ?? {});
  return tls;
}

/** Names the variable of a port that is in use. */
function portInUse(error: unknown, config: Config): ConfigError | undefined {
  if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE' && 'port' in error)) return;
  const variable = portVariables.find((each) => config[each] === error.port);
  return (
    variable &&
    new ConfigError([`${variable} is ${config[variable]}, which is in use. Set it to another port.`])
  );
}
