import { expect } from 'chai';
import {
  addressOf,
  deprecationHeaders,
  deprecations,
  deprecationsOf,
  type Deprecation,
} from './deprecations.ts';
import { dayMs } from './durations.ts';
import { openApiDocument } from './openapi/document.ts';
import type { JsonObject } from './openapi/json-schema.ts';
import { routes } from './routes/index.ts';

const addresses = routes.map(addressOf);
const route = { method: 'POST', path: '/v1/sessions' } as const;
const entry: Deprecation = {
  ...{ id: 'old', route: 'POST /v1/sessions', replacement: 'POST /v1/agent-sessions' },
  ...{ announced: '2026-01-01', sunset: '2026-06-01' },
};
const field: Deprecation = {
  ...entry,
  id: 'old-label',
  field: { in: 'request', name: 'label' },
  replacement: 'metadata',
};

describe('the registry of deprecations', () => {
  it('leaves at least 90 days between an announcement and its sunset', () => {
    for (const { id, announced, sunset } of deprecations)
      expect(Date.parse(sunset) - Date.parse(announced), id).to.be.at.least(90 * dayMs);
  });

  it('names each entry once, with a served route and a served replacement', () => {
    expect(new Set(deprecations.map(({ id }) => id)).size).to.equal(deprecations.length);
    const today = new Date().toISOString().slice(0, 10);
    for (const each of deprecations) {
      if (each.sunset > today) expect(addresses).to.include(each.route);
      if (each.field === undefined) expect(addresses).to.include(each.replacement);
    }
  });

  it('adds headers with the announcement, the end and the replacement to answers', () => {
    expect(deprecationHeaders(deprecationsOf(route, [entry]))).to.deep.equal({
      Deprecation: '@1767225600',
      Sunset: 'Mon, 01 Jun 2026 00:00:00 GMT',
      Link: '</reference>; rel="deprecation"; type="text/html", </v1/agent-sessions>; rel="successor-version"',
    });
    expect(deprecationHeaders(deprecationsOf({ ...route, method: 'GET' }, [entry]))).to.equal(undefined);
  });

  it('uses the earliest dates of several', () => {
    const later = { ...field, announced: '2025-12-01', sunset: '2026-12-01' };
    expect(deprecationHeaders([entry, later])).to.include({
      Deprecation: '@1764547200',
      Sunset: 'Mon, 01 Jun 2026 00:00:00 GMT',
    });
  });

  const operationWith = (registry: readonly Deprecation[]) => {
    const { paths } = openApiDocument({ errorsBase: 'https://errors.example', deprecations: registry });
    return ((paths as JsonObject)['/v1/sessions'] as JsonObject).post as JsonObject;
  };
  it('marks routes in the document, with a pointer to their replacement', () => {
    const { deprecated, description } = operationWith([entry]);
    expect(deprecated).to.equal(true);
    expect(description).to.match(
      /^`POST \/v1\/sessions` is deprecated .* 2026-06-01\. Use `POST \/v1\/agent-sessions`\./,
    );
    expect(operationWith([])).not.to.have.property('deprecated');
  });

  it('marks fields in the document, and not their route', () => {
    const operation = operationWith([field]);
    expect(operation).not.to.have.property('deprecated');
    expect(JSON.stringify(operation.requestBody)).to.contain('"label":{"deprecated":true');
    expect(JSON.stringify(operation.requestBody)).to.contain('Use `metadata`.');
  });
});
