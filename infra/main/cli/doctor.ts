import { ConfigError, loadConfig, type Config } from '../../config/index.ts';
import { assertNoPlain } from '../composition/peers.ts';
import { examine, type Part } from '../doctor/index.ts';
import { doubtful, ill, well, type Finding, type State } from '../doctor/finding.ts';
import { readStack } from '../supervisor/stack-file.ts';
import type { ServiceCommand } from './command.ts';
import { commandEnvironment, toFindTheService, unknownToStack } from './environment.ts';
import { tableOf, type Answer } from './output.ts';

const marks = { well: '✓', doubtful: '!', ill: '✗', unchecked: '–' } as const satisfies Record<State, string>;

/** `service doctor`: the first command for an operator with a problem. */
export function doctorCommand(program: ServiceCommand): void {
  program
    .command('doctor')
    .description('check everything that the service needs; exit status 1 if something does not work')
    .option('--without-session', 'do not start a browser')
    .answers('array', doctor);
}

async function doctor({ withoutSession = false }: { readonly withoutSession?: boolean }): Promise<Answer> {
  const config = configuration();
  if (!('config' in config)) return answer([config]);
  const { DATA_DIR, EVENTSTORE_URL, POSTGRES_URL } = config.config;
  if (EVENTSTORE_URL === undefined || POSTGRES_URL === undefined)
    return answer([
      config.part,
      {
        part: 'stores',
        ...ill(`no service is running on ${DATA_DIR}`, toFindTheService),
      },
    ]);
  const without = withoutSession ? ['session'] : [];
  const parts = await examine(config.config, readStack(DATA_DIR), without);
  // A hanging connection would keep the process alive.
  setTimeout(() => process.exit(), 500).unref();
  return answer([config.part, ...parts]);
}

/** The configuration, or its errors. */
function configuration(): { readonly config: Config; readonly part: Part } | Part {
  const part = 'configuration';
  try {
    const config = loadConfig(commandEnvironment(process.env));
    assertNoPlain(config);
    return { config, part: { part, ...validity(config, unknownToStack(process.env)) } };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return {
      part,
      ...ill(error.message.replaceAll(/\s*\n\s*/g, ' '), 'docs/configuration.md describes every variable.'),
    };
  }
}

function validity({ DATA_DIR }: Config, unknown: readonly string[]): Finding {
  const says = `valid, with DATA_DIR ${DATA_DIR}`;
  if (unknown.length === 0) return well(says);
  return doubtful(
    `${says}; the running service was started without what is set here: ${unknown.join(', ')}`,
    'Restart the service. With systemd, a secret needs a drop-in, too (docs/deployment.md, Secrets).',
  );
}

const answer = (parts: readonly Part[]): Answer => ({
  value: parts,
  lines: tableOf(parts.map(({ part, state, says }) => [marks[state], part, says])).flatMap((line, index) => [
    line,
    ...(parts[index]?.advice === undefined ? [] : [`     ${parts[index].advice}`]),
  ]),
  failed: parts.some(({ state }) => state === 'ill'),
});
