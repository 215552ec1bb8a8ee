import { variables } from '../../config/index.ts';
import type { Variable } from '../../config/kinds.ts';

export type Given = Readonly<Record<string, string>>;

/** Variables of Node, the system or libraries, which are not in the configuration. */
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

/** Placeholders that are filled in at installation or when a process starts. */
const isFilledIn = (value: string): boolean => /[%$]/.test(value);

/** Errors in the environment of a deployment file: unknown names, invalid values, and secrets in clear text. */
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

/** Assignments of `NAME=value` lines, without comments. */
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
