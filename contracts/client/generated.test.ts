import { readFileSync, readdirSync } from 'node:fs';
import { expect } from 'chai';
import { openApiDocument } from '../openapi/document.ts';
import { problemSlugs } from '../openapi/problem-schemas.ts';
import { inPascalCase } from '../openapi/words.ts';
import * as client from './index.ts';
import { generatedFiles } from './generate/index.ts';

const { Service } = client;
const folder = new URL('./generated/', import.meta.url);

describe('the generated part of the client', () => {
  it('matches the routes and schemas: `npm run docs` writes it', () => {
    const files = generatedFiles();
    expect(readdirSync(folder).sort()).to.deep.equal(Object.keys(files).sort());
    for (const [name, text] of Object.entries(files))
      expect(readFileSync(new URL(name, folder), 'utf8') === text, name).to.equal(true);
  });

  it('has a method for every operation of the document, and for no other', () => {
    const paths = openApiDocument({ errorsBase: '' }).paths as Record<
      string,
      Record<string, { operationId: string }>
    >;
    const documented = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => ({
        operationId,
        method: method.toUpperCase(),
        path,
      })),
    );
    expect(Service.operations).to.have.deep.members(documented);
    const service = new Service({ baseUrl: 'https://api.example' }) as unknown as Record<
      string,
      Record<string, unknown>
    >;
    const methods = Object.entries(service).flatMap(([area, own]) =>
      Object.keys(own).map((method) => `${area}.${method}`),
    );
    const beside = ['webhooks.verify'];
    expect(methods.length - beside.length).to.equal(documented.length);
    for (const [area, own] of Object.entries(service))
      for (const [name, method] of Object.entries(own)) expect(method, `${area}.${name}`).to.be.a('function');
  });

  it('has an error class for each problem', () => {
    const exported = client as unknown as Record<string, unknown>;
    for (const slug of problemSlugs)
      expect((exported[inPascalCase(slug)] as { prototype: unknown }).prototype, slug).to.be.instanceOf(
        client.ServiceError,
      );
  });
});
