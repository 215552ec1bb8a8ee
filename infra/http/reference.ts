import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { Router } from 'express';
import { openApiDocument, type DocumentOptions } from '../../contracts/openapi/document.ts';

/** Only scripts of this host are executed, and framing is forbidden. Swagger UI sets inline styles. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference</title>
<link rel="stylesheet" href="/reference/swagger-ui.css">
<link rel="icon" href="/reference/favicon-32x32.png">
</head>
<body>
<div id="reference"></div>
<script src="/reference/swagger-ui-bundle.js"></script>
<script src="/reference/start.js"></script>
</body>
</html>
`;

const start = `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  displayRequestDuration: true,
  validatorUrl: null,
  presets: [SwaggerUIBundle.presets.apis],
});
`;

const assets = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
const assetNames = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'];

/** The files of the reference; `/` redirects to it. */
export const referencePages = [
  '/',
  '/openapi.json',
  '/reference',
  '/reference/start.js',
  ...assetNames.map((name) => `/reference/${name}`),
];

/**
 * `/openapi.json`, the contract of both APIs, and `/reference`, a page to browse it; neither needs a network. The document is
 * created on first use, as it takes a fifth of an API's CPU time at start; files are read on first use, and kept.
 */
export function reference(options: Omit<DocumentOptions, 'side'>): Router {
  let document: string | undefined;
  const router = Router({ caseSensitive: true, strict: true });
  router.get('/', (_request, response) => response.redirect('/reference'));
  router.get('/openapi.json', (_request, response) => {
    response.type('application/json').end((document ??= JSON.stringify(openApiDocument(options))));
  });
  router.get('/reference', (_request, response) => {
    response.setHeader('Content-Security-Policy', contentSecurityPolicy);
    response.setHeader('Referrer-Policy', 'no-referrer');
    response.type('html').end(page);
  });
  router.get('/reference/start.js', (_request, response) => {
    response.type('text/javascript').end(start);
  });
  for (const name of assetNames) {
    let content: Buffer | undefined;
    router.get(`/reference/${name}`, (_request, response) => {
      // Not `sendFile`, which refuses some requests for a range or a version of the file with errors of its own.
      content ??= readFileSync(join(assets, name));
      response.setHeader('Cache-Control', 'public, max-age=3600');
      response.type(extname(name)).end(content);
    });
  }
  return router;
}
