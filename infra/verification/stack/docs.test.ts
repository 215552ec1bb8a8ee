import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { expect } from 'chai';
import { serviceProgram } from '../../main/cli/program.ts';
import packageJson from '../../../package.json' with { type: 'json' };

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

/** Commands of `deliveries list \| requeue`, or `nodes drain --node …`: each with its group, without arguments. */
function commandsIn(text: string): readonly string[] {
  const [group = '', ...rest] = text.split(' ');
  const names = rest
    .join(' ')
    .split('\\|')
    .map((each) => each.trim().split(' ')[0] ?? '');
  return names.map((name) => (/^[a-z]/.test(name) ? `${group} ${name}` : group));
}

describe('the documentation', () => {
  it('gives a reason for every dependency, and for no other', () => {
    const installed = [...Object.keys(packageJson.dependencies), ...Object.keys(packageJson.devDependencies)];
    const lines = read('docs/dependencies.md').match(/^- .*?:/gm) ?? [];
    const named = lines.flatMap((line) => [...line.matchAll(/`([^`]+)`/g)].map(([, name]) => name));
    expect(named).to.have.members(installed);
  });

  it('lists every command of the operator, and no other', async () => {
    const [, table = ''] = read('docs/commands.md').split('| command | does |');
    const cells = [...table.matchAll(/^\| (`.*?`) \| /gm)].map(([, cell = '']) => cell);
    const named = cells.flatMap((cell) =>
      [...cell.matchAll(/`([^`]+)`/g)].flatMap(([, text = '']) => commandsIn(text)),
    );
    const commands = (await serviceProgram()).commands.flatMap((group) =>
      group.commands.length === 0
        ? [group.name()]
        : group.commands.map((command) => `${group.name()} ${command.name()}`),
    );
    expect(named).to.have.members(commands);
  });

  it('says what to type for a command, wherever the service runs', () => {
    const [compose, kubernetes] = [
      'docker compose exec worker',
      'kubectl -n service exec deploy/worker --',
    ].map((within) => `${within} node infra/main/run.mjs command`);
    const incidents = read('docs/incidents.md');
    for (const form of ['npm run service -- …', 'service-command …', `${compose} …`, `${kubernetes} …`])
      expect(incidents).to.include(`\`${form}\``);
    expect(read('docs/deployment.md')).to.include(`\`${compose} account create`);
    // The unit's user may not write to the authority's directory, and the authority does not belong on its machine.
    for (const page of ['deployment', 'operations', 'incidents'])
      expect(read(`docs/${page}.md`)).not.to.match(/service(-command)? certificates (init|issue|renew)/);
    for (const page of ['operations', 'commands'])
      expect(read(`docs/${page}.md`)).to.include('(incidents.md#commands)');
  });

  it('lists every decision', () => {
    const pages = readdirSync(new URL('../../../docs/decisions/', import.meta.url)).filter((name) =>
      /^\d{4}-/.test(name),
    );
    const index = read('docs/decisions/README.md');
    expect(pages.filter((page) => !index.includes(`](${page})`))).to.deep.equal([]);
  });

  it('shows each word of the glossary in an existing file', () => {
    const rows = read('docs/glossary.md').match(/^\| (?!word|-).*$/gm) ?? [];
    const shown = rows.flatMap((row) =>
      [...(row.split('|')[3] ?? '').matchAll(/`([^`]+)`/g)].map(([, path]) => path),
    );
    expect(shown.length).to.be.greaterThan(50);
    expect(shown.filter((path) => !existsSync(new URL(`../../../${path}`, import.meta.url)))).to.deep.equal(
      [],
    );
  });

  it('links to nothing that does not exist', () => {
    const root = new URL('../../../', import.meta.url);
    const below = (folder: string) =>
      readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.md'))
        .map((name) => `${folder}${name}`);
    for (const page of ['README.md', 'CONTRIBUTING.md', 'infra/verification/README.md', ...below('docs/')])
      for (const [, target = ''] of read(page).matchAll(/\]\((?!http)([^)#]+)[^)]*\)/g))
        expect(existsSync(new URL(target, new URL(page, root))), `${page} -> ${target}`).to.equal(true);
  });
});
