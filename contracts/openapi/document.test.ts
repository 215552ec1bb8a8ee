import { expect } from 'chai';
import { OpenAPISchemaValidator } from 'express-openapi-validator/dist/framework/openapi.schema.validator.js';
import { openApiDocument } from './document.ts';
describe('x', () => { it('y', () => {
  const d = openApiDocument({ errorsBase: 'https://e.example' });
  const v = new (OpenAPISchemaValidator as any)({ version: '3.1.0', validateApiSpec: true });
  console.log(JSON.stringify(v.validate(d).errors.slice(0,5), null, 1));
  console.log(JSON.stringify(d).length, JSON.stringify((d.paths as any)['/v1/sessions'].post, null, 1));
  expect(1).to.equal(1);
}); });
