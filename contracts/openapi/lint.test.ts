import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { openApiDocument } from './document.ts';

const redocly = new URL('../../node_modules/.bin/redocly', import.meta.url).pathname;

interface Found {
  readonly problems: readonly {
    readonly ruleId: string;
    readonly message: string;
    readonly location: readonly { readonly pointer: string }[];
  }[];
}

describe('The OpenAPI document, by an external linter', () => {
  it('violates none of its strictest rules', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'openapi-'));
    try {
      const file = join(folder, 'openapi.json');
      await writeFile(file, JSON.stringify(openApiDocument({ errorsBase: 'https://errors.example' })));
      const { stdout } = await promisify(execFile)(
        redocly,
        ['lint', '--extends', 'recommended-strict', '--format', 'json', file],
        {
          cwd: folder,
          env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
        },
      ).catch((failure: unknown) => failure as { readonly stdout: string });
      const { problems } = JSON.parse(stdout) as Found;
      expect(
        problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} (${location[0]?.pointer})`),
      ).to.deep.equal([]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
