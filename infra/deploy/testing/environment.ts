import { variables } from '../../config/index.ts';
import type { Variable } from '../../config/kinds.ts';

export type Given = Readonly<Record<string, string>>;

/** What processes are told that is no variable of ours: by Node, the system, or a library. */
const foreign = new Set([
  'NODE_OPTIONS',
  'UV_THREADPOOL_SIZE',
  'SERVICE_BUNDLE',
  'AWS_SHARED_CREDENTIALS_FILE',
  'POD_NAME',
  'TMPDIR',
]);

const suffix = '_FILE';
const known = new Map<string, Variable<unknown>>(Object.entries(variables));

/** What is filled in when a process starts, or by who installs it. */
const isFilledIn = (value: string): boolean => /[%$]/.test(value);

/** What is wrong in what a deployment file tells a process: names that are not in the configuration, values that it does not take, secrets in clear. */
export function complaintsAbout(given: Given): readonly string[] {
  return Object.entries(given).flatMap(([name, value]) => complaint(name, value) ?? []);
}

function complaint(name: string, value: string): string | undefined {
  if (foreign.has(name)) return undefined;
  if (name.endsWith(suffix)) {
    const variable = known.get(name.slice(0, -suffix.length));
    return variable?.kind.secret ? undefined : `${name}: no secret is called so`;
  }
  const variable = known.get(name);
  if (variable === undefined) return `${name}: the configuration has no such variable`;
  if (variable.kind.secret) return `${name}: a secret in clear`;
  if (isFilledIn(value) || variable.kind.parse(value) !== undefined) return undefined;
  return `${name} is ${value}, and takes ${variable.kind.takes}`;
}

/** Lines of `NAME=value`, without comments. */
export const assignments = (text: string): Given =>
  Object.fromEntries(
    text
      .split('\n')
      .filter((line) => /^[A-Z_]+=/.test(line))
      .map((line) => {
        const at = line.indexOf('=');
        return [line.slice(0, at), line.slice(at + 1)] as const;
      }),
  );
