import { Argument, InvalidArgumentError } from 'commander';
import { loadConfig } from '../../config/index.ts';
import { silentLogger } from '../../logging/index.ts';
import { logLevels, type LogLevel } from '../../logging/levels.ts';
import { messageOf } from '../../platform/error-message.ts';
import { openTls } from '../composition/peers.ts';
import { createLifetime } from '../lifetime.ts';
import { isRole, type RoleName } from '../roles/table.ts';
import { healthUrl } from '../supervisor/addresses.ts';
import { readStack } from '../supervisor/stack-file.ts';
import type { ServiceCommand } from './command.ts';
import { commandEnvironment } from './environment.ts';
import { headedTable, type Answer } from './output.ts';
import { address } from './parse.ts';
import { request } from '../../platform/request.ts';

interface Options {
  readonly role?: RoleName;
  readonly at?: string;
}

/** `service log-level` */
export function logLevelCommand(program: ServiceCommand): void {
  program
    .command('log-level')
    .description('show the log level of processes, or change it until they end')
    .addArgument(new Argument('[level]', 'the least severe level that is logged').choices(logLevels))
    .option('--role <role>', 'only the process of this role', roleNamed)
    .option(
      '--at <url>',
      'the process that answers /readyz at this address, instead of those on DATA_DIR',
      address,
    )
    .answers('array', logLevel);
}

function roleNamed(name: string): RoleName {
  if (isRole(name)) return name;
  throw new InvalidArgumentError('Expected the name of a role; `service processes` lists them.');
}

async function logLevel(level: LogLevel | undefined, { role, at }: Options): Promise<Answer> {
  const config = loadConfig(commandEnvironment(process.env));
  const logger = silentLogger();
  const lifetime = createLifetime(logger);
  try {
    const tls = openTls({ config, logger, lifetime });
    const places = at === undefined ? placesOn(config, role) : [{ name: at, url: at }];
    const ask = asking({ level, token: config.OPERATOR_TOKEN, dispatcher: tls?.agent });
    const value = await Promise.all(
      places.map(async ({ name, url }) => ({ process: name, ...(await ask(url)) })),
    );
    return {
      value,
      lines: headedTable(value, { process: 'process', level: (each) => each.level ?? each.error }),
      failed: value.some(({ error }) => error !== null),
    };
  } finally {
    await lifetime.close();
  }
}

function placesOn(config: ReturnType<typeof loadConfig>, only: RoleName | undefined) {
  const stack = readStack(config.DATA_DIR);
  const names = Object.keys(stack?.processes ?? {}).filter((name) => isRole(name));
  const chosen = names.filter((name) => only === undefined || name === only);
  if (stack === undefined || chosen.length === 0)
    throw new Error(
      `No ${only ?? 'process'} is running on ${config.DATA_DIR}. For a process elsewhere, give its address with --at.`,
    );
  return chosen.map((name) => ({ name, url: healthUrl(config, stack.environment, name) }));
}

interface Asked {
  readonly level: LogLevel | undefined;
  readonly token: string | undefined;
  readonly dispatcher: NonNullable<Parameters<typeof request>[1]>['dispatcher'];
}

const limitMs = 5_000;

const asking =
  ({ level, token, dispatcher }: Asked) =>
  async (url: string): Promise<{ readonly level: string | null; readonly error: string | null }> => {
    try {
      const { statusCode, body } = await request(`${url}/log-level`, {
        method: level === undefined ? 'GET' : 'PUT',
        headers: { ...(token !== undefined && { authorization: `Bearer ${token}` }) },
        body: level === undefined ? null : JSON.stringify({ level }),
        signal: AbortSignal.timeout(limitMs),
        ...(dispatcher && { dispatcher }),
      });
      const answer = (await body.json()) as { readonly level?: string; readonly detail?: string };
      if (statusCode === 200) return { level: answer.level ?? null, error: null };
      return { level: null, error: answer.detail ?? String(statusCode) };
    } catch (error) {
      return { level: null, error: messageOf(error) };
    }
  };
