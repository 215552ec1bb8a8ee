import { cpSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import ts from 'typescript';
import { startMisbehavingServer } from '../testbed/index.ts';
import * as will from '../testbed/misbehaving-server.ts';
import { checkout, installed, run, type Packed } from './packed.ts';

const bin = (name: string): string => join(checkout, 'node_modules/.bin', name);

/** Compiler errors in programs of a user, with these settings. */
function mistakesIn(
  { folder }: Packed,
  names: readonly string[],
  settings: ts.CompilerOptions,
): readonly string[] {
  const files = names.map((name) => join(folder, name));
  for (const name of names)
    cpSync(join(checkout, 'infra/verification/client/programs', name), join(folder, name));
  const program = ts.createProgram(files, {
    noEmit: true,
    types: [],
    skipDefaultLibCheck: true,
    ...settings,
  });
  return ts.getPreEmitDiagnostics(program).map(({ file, start = 0, messageText }) => {
    const line = file?.getLineAndCharacterOfPosition(start).line ?? 0;
    return `${file?.fileName}:${line + 1} ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
  });
}

describe('the packed client', function () {
  this.timeout(300_000);
  let packed: Packed;
  before(async () => {
    packed = await installed();
  });

  it('holds what customers import, depends on nothing, and is small', () => {
    const own = JSON.parse(
      readFileSync(join(packed.folder, 'node_modules/service/package.json'), 'utf8'),
    ) as object;
    expect(own).not.to.have.any.keys('dependencies', 'peerDependencies', 'scripts');
    expect(readdirSync(join(packed.folder, 'node_modules'))).to.have.members([
      'service',
      '.bin',
      '.package-lock.json',
    ]);
    expect(readFileSync(packed.archive).length).to.be.below(200_000);
  });

  it('drives a session in ten lines, as a module and by `require`', async () => {
    const server = await startMisbehavingServer();
    const session = { id: 'ses_1', status: 'ready' };
    const lines = (load: string) => `${load}
      void (async () => {
        const service = new Service({ baseUrl: process.env.BASE, apiKey: 'svc_test_1' });
        const session = await service.sessions.create({ label: 'first' });
        const { final_url } = await session.navigate('https://example.org/');
        await session.end();
        console.log(session.id, session.status, final_url);
      })();`;
    writeFileSync(join(packed.folder, 'ten.mjs'), lines(`import { Service } from 'service/client';`));
    writeFileSync(join(packed.folder, 'ten.cjs'), lines(`const { Service } = require('service/client');`));
    for (const file of ['ten.mjs', 'ten.cjs']) {
      server.will(
        will.json(session, { status: 201 }),
        will.json({ final_url: 'https://example.org/' }),
        (response) => void response.writeHead(204).end(),
      );
      const said = await run(process.execPath, [file], packed.folder, { BASE: server.url });
      expect(said).to.equal('ses_1 destroyed https://example.org/\n');
    }
    await server.close();
  });

  it('brings the verifiers, and the command of one', async () => {
    const code = `const { verifyWebhook } = require('service/webhooks'); const { verifyExport } = require('service/audit'); console.log(typeof verifyWebhook, typeof verifyExport)`;
    writeFileSync(join(packed.folder, 'verifiers.cjs'), code);
    expect(await run(process.execPath, ['verifiers.cjs'], packed.folder)).to.equal('function function\n');
    expect(readdirSync(join(packed.folder, 'node_modules/.bin'))).to.deep.equal(['service-audit']);
  });

  it('has types that accept what is right, and nothing that is wrong', () => {
    const settings = { module: ts.ModuleKind.NodeNext, strict: true, target: ts.ScriptTarget.ES2022 };
    expect(mistakesIn(packed, ['good.ts', 'bad.ts'], settings)).to.deep.equal([]);
  });

  it('has types for the strictest settings, without those of browsers and of Node, and for `await using`', () => {
    const settings = {
      ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
      ...{ noPropertyAccessFromIndexSignature: true, verbatimModuleSyntax: true, isolatedModules: true },
      ...{ module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2022, lib: ['lib.es2022.d.ts'] },
    };
    expect(mistakesIn(packed, ['disposed.ts'], settings)).to.deep.equal([]);
  });

  it('is found by every kind of resolution (attw), and its manifest is sound (publint)', async () => {
    const found = JSON.parse(await run(bin('attw'), [packed.archive, '--format', 'json'], packed.folder)) as {
      problems?: unknown;
    };
    expect(found.problems ?? {}).to.deep.equal({});
    expect(await run(bin('publint'), ['run', packed.archive, '--strict'], packed.folder)).to.match(
      /All good/,
    );
  });
});
