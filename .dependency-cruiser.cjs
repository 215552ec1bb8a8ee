/**
 * The layout of design: what each folder may import of ours. Tests may import everything, `infra/main` wires everything.
 * `contracts` <- `domain` <- `commands`; `infra` stands on `contracts` alone; the APIs stand on top.
 */
const test =
  '\\.test\\.ts$|^infra/(main/(security|faults)|testbed|bench|chaos|soak)/|/fixtures?(/|\\.ts$)|^domain/testing/|^commands/simulation/';
const ours = '^(contracts|domain|commands|projections|read-api|write-api|infra)/';

const only = (folder, allowed, comment) => ({
  name: `${folder}-imports`,
  comment,
  severity: 'error',
  from: { path: `^${folder}/`, pathNot: `${test}|^infra/main/` },
  to: { path: ours, pathNot: `^(${[folder, ...allowed].join('|')})/` },
});

module.exports = {
  forbidden: [
    only('contracts', [], 'Contracts import nothing of ours.'),
    only('domain', ['contracts'], 'Rules know contracts, nothing that does I/O.'),
    only('commands', ['domain', 'contracts', 'infra'], 'Commands decide with rules through ports.'),
    only('projections', ['domain', 'contracts', 'infra'], 'Read models fold events.'),
    only('write-api', ['commands', 'contracts', 'infra'], 'The write side runs commands.'),
    only('read-api', ['projections', 'contracts', 'infra'], 'The read side asks read models.'),
    only('infra', ['contracts'], 'Adapters know nobody’s rules.'),
    {
      name: 'no-one-imports-main',
      comment: 'The composition root is at the top.',
      severity: 'error',
      from: { path: ours, pathNot: `^infra/main/|${test}` },
      to: { path: '^infra/main/' },
    },
    {
      name: 'rules-are-pure',
      comment: 'No I/O, no clock, no random in rules: nothing of Node but its types.',
      severity: 'error',
      from: { path: '^domain/', pathNot: test },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'no-circular',
      severity: 'error',
      from: { path: ours },
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-development-packages',
      comment: 'What runs in production is a dependency, not a development one.',
      severity: 'error',
      from: { path: ours, pathNot: test },
      to: { dependencyTypes: ['npm-dev'] },
    },
    {
      name: 'not-resolvable',
      severity: 'error',
      from: { path: ours },
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // The first runs in GJS, whose modules are not Node's; the second installs what it imports when it is first run.
    exclude: { path: '^infra/(fleet/webkit/host|bench/emmett)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
