import { unescape } from 'node:querystring';
import { parsedUrl } from '../../contracts/url.ts';
import type { Variable, VariableWithDefault } from './kinds.ts';
import { sections, variables } from './variables/index.ts';

type Value<V> =
  V extends VariableWithDefault<infer T> ? T : V extends Variable<infer T> ? T | undefined : never;

/** The value of every variable, by name. Durations are in milliseconds. */
export type Config = { readonly [Name in keyof typeof variables]: Value<(typeof variables)[Name]> };

/** Lists all invalid variables, with their values and the expected types. */
export class ConfigError extends Error {
  constructor(complaints: readonly string[]) {
    super(`The configuration is wrong:\n${complaints.map((complaint) => `  ${complaint}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** The variables that are set: an empty one counts as not set. */
export const setIn = (environment: Environment): Environment =>
  Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''));

/** Reads the variables' values; an empty one counts as not set. Throws `ConfigError`. */
export function loadConfig(environment: Environment): Config {
  const complaints: string[] = [];
  const values = Object.entries<Variable<unknown>>(variables).map(([name, variable]) => {
    const given = environment[name] || variable.default;
    const value = given === undefined ? undefined : variable.kind.parse(given);
    if (given !== undefined && value === undefined) complaints.push(complaint(name, given, variable));
    return [name, value];
  });
  if (complaints.length > 0) throw new ConfigError(complaints);
  // The table's types relate names and values; `fromEntries` cannot express that.
  return Object.fromEntries(values) as Config;
}

/** The value of a variable that this role requires. Throws `ConfigError` if it is not set. */
export function need<Name extends keyof Config>(config: Config, name: Name): NonNullable<Config[Name]> {
  const value = config[name];
  if (value === undefined)
    throw new ConfigError([`${name} is not set. It takes ${variables[name].kind.takes}.`]);
  return value;
}

function complaint(name: string, given: string, { kind }: Variable<unknown>): string {
  const shown = kind.secret ? 'a value that is not shown' : JSON.stringify(given);
  return `${name} got ${shown}. It takes ${kind.takes}.`;
}

/** Each variable's name, effective value and whether it was set, with secrets masked, for `service config print`. */
export function describeConfig(
  environment: Environment,
): { name: string; value: string | null; set: boolean }[] {
  return Object.entries<Variable<unknown>>(variables).map(([name, variable]) => {
    const value = environment[name] || variable.default;
    return {
      name,
      value: value === undefined ? null : variable.kind.secret ? '********' : value,
      set: Boolean(environment[name]),
    };
  });
}

/** Minimum length of a masked secret: shorter values occur in ordinary words. */
const leastSecret = 8;

/** All secrets in the environment, separately: parts of lists, and passwords of URLs. */
export function configuredSecrets(environment: Environment): readonly string[] {
  const given = Object.entries<Variable<unknown>>(variables)
    .filter(([, { kind }]) => kind.secret)
    .flatMap(([name]) => environment[name] ?? [])
    .flatMap((value) => (value.includes('://') ? passwordIn(value) : [value, ...value.split(',')]));
  return [...new Set(given.map((value) => value.trim()))].filter(({ length }) => length >= leastSecret);
}

/** The password as encoded in a URL, or in a connection string of several hosts, and decoded. */
function passwordIn(address: string): readonly string[] {
  const [, inText = ''] = /:\/\/[^:@]*:([^@]*)@/.exec(address) ?? [];
  const password = parsedUrl(address)?.password ?? inText;
  return [password, unescape(password)];
}

/** Renders `docs/configuration.md` from the table of variables. */
export function configurationPage(): string {
  const body = Object.entries(sections).map(([title, variables]) => `## ${title}\n\n${table(variables)}`);
  return `${HEAD}\n\n${body.join('\n\n')}\n`;
}

const HEAD = `# Configuration

Written from \`infra/config/variables/\` by \`npm run docs\`; a test fails when the two differ.

Every value comes from the environment and is checked when a process starts. A wrong one stops the start with the
variable's name, what it got and what it takes. Durations carry their unit: \`250ms\`, \`30s\`, \`20m\`, \`24h\`, \`30d\`.
\`npm run service -- config print\` shows the values in force, secrets masked: the operator's commands have the
configuration that \`npm start\` was given, except for what their own environment says.

What holds a secret may be given as a file instead: \`MASTER_KEY_FILE=/run/secrets/master-key\` in place of \`MASTER_KEY\`, and so for each variable that
\`config print\` masks. Each process reads the file when it starts, also after a crash: it must be a regular file that stays as it is while the service runs.`;

function table(variables: Readonly<Record<string, Variable<unknown>>>): string {
  const rows = Object.entries(variables).map(
    ([name, { default: value, kind, description }]) =>
      `| \`${name}\` | ${value ? `\`${value}\`` : ''} | ${kind.takes} | ${description} |`,
  );
  return ['| variable | default | takes | meaning |', '|---|---|---|---|', ...rows].join('\n');
}
