import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import openapiTypescript, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { openApiDocument } from '../../../contracts/openapi/document.ts';
import { tempDir } from '../testbed/index.ts';

const program = `
import type { components, paths } from './api.js';
type Action = components['schemas']['Action'];
export const tap: Action = { kind: 'tap', selector: '#go' };
// @ts-expect-error -- there is no such kind
export const jump: Action = { kind: 'jump' };
type Create = NonNullable<paths['/v1/sessions']['post']['requestBody']>['content']['application/json'];
export const create: Create = {};
export type Session = paths['/v1/sessions']['post']['responses'][201]['content']['application/json'];
export const status = (session: Session): 'creating' | 'ready' | 'busy' | 'destroyed' | 'errored' => session.status;
`;

describe('the document, given to a generator of clients', function () {
  this.timeout(300_000);

  it('produces types that compile, with openapi-typescript', async () => {
    const folder = tempDir('generated');
    const document = openApiDocument({ errorsBase: 'https://errors.example' });
    const nodes = await openapiTypescript(document as never, { defaultNonNullable: false, silent: true });
    writeFileSync(join(folder, 'api.ts'), astToString(nodes));
    writeFileSync(join(folder, 'program.ts'), program);
    const settings = {
      strict: true,
      noEmit: true,
      module: ts.ModuleKind.NodeNext,
      types: [],
      skipLibCheck: true,
    };
    const compiled = ts.createProgram([join(folder, 'program.ts')], settings);
    const mistakes = ts
      .getPreEmitDiagnostics(compiled)
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
    expect(mistakes).to.deep.equal([]);
  });
});
