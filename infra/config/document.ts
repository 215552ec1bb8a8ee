import type { Variable } from './variable.ts';
import { sections } from './variables/index.ts';

/** `docs/configuration.md`, written from the table of variables. */
export function configurationPage(): string {
  const body = Object.entries(sections).map(([title, variables]) => `## ${title}\n\n${table(variables)}`);
  return `${HEAD}\n\n${body.join('\n\n')}\n`;
}

const HEAD = `# Configuration

Written from \`infra/config/variables/\` by \`npm run docs\`; a test fails when the two differ.

Every value comes from the environment and is checked when a process starts. A wrong one stops the start with the
variable's name, what it got and what it takes. Durations carry their unit: \`250ms\`, \`30s\`, \`20m\`, \`24h\`, \`30d\`.
\`npm run service -- config print\` shows the values in force, secrets masked.`;

function table(variables: Readonly<Record<string, Variable<unknown>>>): string {
  const rows = Object.entries(variables).map(
    ([name, { default: value, kind, description }]) =>
      `| \`${name}\` | ${value ? `\`${value}\`` : ''} | ${kind.takes} | ${description} |`,
  );
  return ['| variable | default | takes | meaning |', '|---|---|---|---|', ...rows].join('\n');
}
