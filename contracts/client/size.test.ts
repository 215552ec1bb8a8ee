import { gzipSync } from 'node:zlib';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { build } from 'esbuild';
import { areas } from './generate/areas.ts';

/** Compressed size in bytes of a bundled program that imports the client. */
async function sizeOf(contents: string): Promise<number> {
  const resolveDir = fileURLToPath(new URL('.', import.meta.url));
  const { outputFiles } = await build({
    stdin: { contents, resolveDir, loader: 'ts' },
    ...{ bundle: true, minify: true, write: false, format: 'esm', target: 'es2022' },
  });
  return gzipSync(outputFiles[0]?.contents ?? '').length;
}

describe('the size of the client', () => {
  it('is 20 kB at most, compressed', async () => {
    expect(await sizeOf("export * from './index.ts'")).to.be.within(1_000, 20_000);
  });

  it('is 8 kB at most with any one area', async () => {
    for (const { name } of areas) {
      const program = `import { Connection, ${name} } from './index.ts'; globalThis.own = ${name}(new Connection({ baseUrl: 'https://api.example' }));`;
      expect(await sizeOf(program), name).to.be.within(1_000, 8_000);
    }
  });
});
