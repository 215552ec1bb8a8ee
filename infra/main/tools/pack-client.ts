import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import packageJson from '../../../package.json' with { type: 'json' };

const checkout = fileURLToPath(new URL('../../..', import.meta.url));
const contracts = join(checkout, 'contracts');

/** Customers' modules in plain JavaScript. */
const plain = { webhooks: ['verify'], audit: ['verify', 'cli'] } as const;

/** The package for customers: the parts of this package that they import, and their dependencies. */
const manifest = {
  name: packageJson.name,
  version: packageJson.version,
  description: 'Client of the browser automation service',
  license: packageJson.license,
  type: 'module',
  sideEffects: false,
  engines: { node: '>=18' },
  exports: {
    './client': {
      import: { types: './client/index.d.ts', default: './client/index.js' },
      require: { types: './client/cjs/index.d.ts', default: './client/cjs/index.js' },
    },
    ...Object.fromEntries(
      Object.keys(plain).map((name) => [
        `./${name}`,
        {
          import: { types: `./${name}/verify.d.mts`, default: `./${name}/verify.mjs` },
          require: { types: `./${name}/verify.d.cts`, default: `./${name}/verify.cjs` },
        },
      ]),
    ),
    './package.json': './package.json',
  },
  // For `moduleResolution: node10`, which ignores `exports`.
  typesVersions: {
    '*': Object.fromEntries(Object.keys(plain).map((name) => [name, [`./${name}/verify.d.cts`]])),
  },
  bin: { 'service-audit': './audit/cli.mjs' },
};

const compilerOptions = {
  target: ts.ScriptTarget.ES2022,
  verbatimModuleSyntax: true,
  rewriteRelativeImportExtensions: true,
  strict: true,
} as const;

const asJs = (code: string): string =>
  code.replace(/((?:from|import\() ?['"]\.[^'"]+)\.ts(['"])/g, '$1.js$2');

const write = (path: string, text: string): void => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};

/** Writes the client as ES modules and, for `require`, as CommonJS, each with declarations. */
function writeClient(folder: string): void {
  write(join(folder, 'client/cjs/package.json'), '{ "type": "commonjs" }\n');
  for (const [name, types] of declarations()) {
    const code = readFileSync(join(contracts, 'client', name), 'utf8');
    const stem = name.slice(0, -'.ts'.length);
    for (const [place, module] of [
      ['client', ts.ModuleKind.ESNext],
      ['client/cjs', ts.ModuleKind.CommonJS],
    ] as const) {
      write(join(folder, place, `${stem}.js`), javaScriptOf(name, code, module));
      write(join(folder, place, `${stem}.d.ts`), types);
    }
  }
}

function javaScriptOf(fileName: string, code: string, module: ts.ModuleKind): string {
  const isModule = module === ts.ModuleKind.ESNext;
  const options = { ...compilerOptions, module, verbatimModuleSyntax: isModule };
  return ts.transpileModule(code, { fileName, compilerOptions: options }).outputText;
}

/** The declarations of all sources, by name. */
function declarations(): ReadonlyMap<string, string> {
  const root = join(contracts, 'client');
  const program = ts.createProgram([join(root, 'index.ts')], {
    ...compilerOptions,
    ...{ module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext },
    ...{ declaration: true, emitDeclarationOnly: true, outDir: root, rootDir: root, types: ['node'] },
    lib: ['lib.es2023.d.ts', 'lib.esnext.disposable.d.ts'],
  });
  const texts = new Map<string, string>();
  program.emit(undefined, (path, text) => {
    texts.set(path.slice(root.length + 1).replace(/\.d\.ts$/, '.ts'), asJs(text));
  });
  return texts;
}

function writePlain(folder: string): void {
  for (const [name, modules] of Object.entries(plain))
    for (const module of modules) {
      const from = join(contracts, name, module);
      const to = join(folder, name, module);
      mkdirSync(dirname(to), { recursive: true });
      cpSync(`${from}.mjs`, `${to}.mjs`);
      if (module !== 'verify') continue;
      cpSync(`${from}.d.mts`, `${to}.d.mts`);
      cpSync(`${from}.d.mts`, `${to}.d.cts`);
      write(
        `${to}.cjs`,
        javaScriptOf('verify.ts', readFileSync(`${from}.mjs`, 'utf8'), ts.ModuleKind.CommonJS),
      );
    }
}

/** Writes the documents. The first one is also the package's README, which the registry shows. */
function writePages(folder: string): void {
  for (const name of ['client.md', 'client-examples.md', 'clients.md']) {
    const text = readFileSync(join(checkout, 'docs', name), 'utf8');
    write(join(folder, 'docs', name), text);
    if (name === 'client.md') write(join(folder, 'README.md'), text.replace(/\]\((?!http)/g, '](docs/'));
  }
}

/** Packs the client into `destination`. Returns the archive's name. */
function packClient(destination: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'service-client-'));
  try {
    writeClient(folder);
    writePlain(folder);
    write(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
    writePages(folder);
    const args = ['pack', '--silent', '--pack-destination', destination];
    return execFileSync('npm', args, { cwd: folder, encoding: 'utf8' }).trim();
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  process.stdout.write(`${packClient(process.argv[2] ?? process.cwd())}\n`);
