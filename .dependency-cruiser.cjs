/**
 * What each folder may import of ours. `contracts` <- `domain` <- `commands`; `infra` stands on `contracts` alone; the APIs
 * stand on top; `infra/main` wires everything. Verification (tests, their support, benchmarks, chaos, simulation) may import the
 * product; the product never imports it.
 */
const verification = '\\.test\\.ts$|/testing(/|\\.ts$)|^infra/verification/';
const ours = '^(contracts|domain|commands|projections|read-api|write-api|infra)/';

const only = (folder, allowed, comment) => ({
  name: `${folder}-imports`,
  comment,
  severity: 'error',
  from: { path: `^${folder}/`, pathNot: `${verification}|^infra/main/` },
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
      name: 'the-client-is-packed-alone',
      comment:
        'What customers install holds the client and no schema: types and tables of these are generated.',
      severity: 'error',
      from: { path: '^contracts/client/', pathNot: `${verification}|^contracts/client/generate/` },
      to: { pathNot: '^contracts/client/' },
    },
    {
      name: 'console-imports',
      comment: 'The console is a client of the API like any other.',
      severity: 'error',
      from: { path: '^infra/console/' },
      to: { path: ours, pathNot: '^(contracts|infra/console)/' },
    },
    {
      name: 'console-packages',
      comment: 'What the console is made of beside our own files: all that a reader loads.',
      severity: 'error',
      from: { path: '^infra/console/' },
      to: {
        path: 'node_modules',
        pathNot: 'node_modules/(preact|@preact/signals|preact-iso|qrcode|@types/qrcode|livekit-client)/',
      },
    },
    {
      name: 'console-areas-stand-alone',
      comment: 'Areas of pages share parts, not pages: each is loaded by itself.',
      severity: 'error',
      from: { path: '^infra/console/pages/([^/]+)/' },
      to: { path: '^infra/console/pages/', pathNot: '^infra/console/pages/$1/' },
    },
    {
      name: 'console-parts-know-no-page',
      comment: 'Parts are below pages.',
      severity: 'error',
      from: { path: '^infra/console/(parts/|service\\.ts)' },
      to: { path: '^infra/console/(pages|areas|app)' },
    },
    {
      name: 'console-pages-are-loaded-later',
      comment: 'The table of an area, its words and its styles are in the first view; its pages are not.',
      severity: 'error',
      from: { path: '^infra/console/pages/[^/]+/area\\.ts$' },
      to: { path: '^infra/console/pages/', pathNot: '/(strings\\.ts|styles\\.css)$', dynamic: false },
    },
    {
      name: 'tools-are-a-client',
      comment:
        'The tools for agents know the service by its typed client alone, as those of anybody else would.',
      severity: 'error',
      from: { path: '^infra/mcp/', pathNot: verification },
      to: { path: ours, pathNot: '^(contracts/client|infra/mcp)/' },
    },
    {
      name: 'no-one-imports-main',
      comment: 'The composition root is at the top; what lays it out for installations stands beside it.',
      severity: 'error',
      from: { path: ours, pathNot: `^infra/(main|deploy)/|${verification}` },
      to: { path: '^infra/main/' },
    },
    {
      name: 'product-without-verification',
      comment: 'What runs in production does not know how it is tested.',
      severity: 'error',
      from: { path: ours, pathNot: verification },
      to: { path: verification },
    },
    {
      name: 'rules-are-pure',
      comment: 'No I/O, no clock, no random in rules: nothing of Node but its types.',
      severity: 'error',
      from: { path: '^domain/', pathNot: verification },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'no-circular',
      severity: 'error',
      from: { path: ours },
      to: { circular: true },
    },
    {
      name: 'no-development-packages',
      comment:
        'What runs in production is a dependency, not a development one. Tools run where the sources are changed.',
      severity: 'error',
      from: { path: ours, pathNot: `${verification}|^infra/main/tools/` },
      to: { dependencyTypes: ['npm-dev'] },
    },
    {
      name: 'generated-messages',
      comment: 'Generated code of the event store’s client is no public interface; one file imports it.',
      severity: 'error',
      from: { path: ours, pathNot: '^infra/event-store/protobuf/vendor\\.ts$' },
      to: { path: '@eventstore/db-client/generated/' },
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
    exclude: { path: '^infra/(fleet/webkit/host/|verification/bench/(emmett/|bare-host\\.js))' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
