import { expect } from 'chai';
import { openApiDocument } from '../../contracts/openapi/document.ts';
import { errorsBase, startApi } from './testing.ts';

describe('The published contract', () => {
  for (const side of ['read', 'write'] as const) {
    describe(`on the ${side} API`, () => {
      let api: Awaited<ReturnType<typeof startApi<typeof side>>>;
      before(async () => {
        api = await startApi(side);
      });
      after(() => api.close());

      it('is the merged document of both APIs, without a credential', async () => {
        const { status, headers, json } = await api.call('GET /openapi.json', { token: null });
        expect([status, headers['content-type']]).to.deep.equal([200, 'application/json; charset=utf-8']);
        expect(json).to.deep.equal(openApiDocument({ errorsBase }));
      });

      it('has a page to browse it that loads nothing from elsewhere', async () => {
        const { status, headers, text } = await api.call('GET /reference', { token: null });
        expect([status, headers['content-type']]).to.deep.equal([200, 'text/html; charset=utf-8']);
        expect(headers['content-security-policy'])
          .to.contain("default-src 'none'")
          .and.to.contain("script-src 'self'");
        expect(text).not.to.match(/https?:\/\//);
        const loaded = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path ?? '');
        expect(loaded).to.have.length(4);
        for (const path of loaded) {
          const asset = await api.call(`GET ${path}`, { token: null });
          expect([asset.status, asset.text.length > 100], path).to.deep.equal([200, true]);
          expect(asset.headers['content-type'], path).to.match(/javascript|css|png/);
        }
      });

      it('is served whole, whatever range or version of it a request names', async () => {
        const past = 'Mon, 01 Jan 2001 00:00:00 GMT';
        const all = [{ range: 'bytes=9999999-' }, { 'if-match': '"other"' }, { 'if-unmodified-since': past }];
        for (const name of ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png', 'start.js']) {
          const whole = await api.call(`GET /reference/${name}`, { token: null });
          for (const headers of all) {
            const { status, text } = await api.call(`GET /reference/${name}`, { token: null, headers });
            const of = `${name} with ${Object.keys(headers).join()}`;
            expect([status, text === whole.text], of).to.deep.equal([200, true]);
          }
        }
      });

      it('serves nothing else of the package it comes from', async () => {
        for (const path of ['package.json', '../package.json', '%2e%2e/package.json', 'index.html']) {
          expect((await api.call(`GET /reference/${path}`)).status, path).to.equal(404);
        }
      });
    });
  }
});
