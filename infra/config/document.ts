import { sections, variables, type Section, type Variable } from './variables.ts';

/** `docs/configuration.md`, written from the table of variables. */
export function configurationPage(): string {
  const body = Object.entries(sections).map(([section, title]) => `## ${title}\n\n${table(section)}`);
  return `${HEAD}\n\n${body.join('\n\n')}\n`;
}

const HEAD = `# Configuration

Written from \`infra/config/variables.ts\` by \`npm run docs\`; a test fails when the two differ.

Every value comes from the environment and is checked when a process starts. A wrong one stops the start with the
variable's name, what it got and what it takes. Durations carry their unit: \`250ms\`, \`30s\`, \`20m\`, \`24h\`, \`30d\`.
\`npm run service -- config print\` shows the values in force, secrets masked.`;

function table(section: string): string {
  const rows = Object.entries<Variable<unknown> & { section: Section }>(variables)
    .filter(([, variable]) => variable.section === section)
    .map(
      ([name, variable]) =>
        `| \`${name}\` | ${standard(variable)} | ${takes(variable)} | ${variable.description} |`,
    );
  return ['| variable | default | takes | meaning |', '|---|---|---|---|', ...rows].join('\n');
}

const standard = ({ default: value }: Variable<unknown>) => (value === undefined ? '' : `\`${value}\``);
const takes = ({ kind }: Variable<unknown>) => kind.takes;
