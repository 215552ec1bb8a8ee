import type { IncomingMessage } from 'node:http';
import { serveOnLoopback, type DemoServer } from './loopback.ts';

const page = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>${title}</title>
   <body style="font:17px system-ui;margin:20px">${body}</body></html>`;

const pages: Readonly<Record<string, string>> = {
  '/': page(
    'Greeting',
    `<h1>Who is there?</h1>
     <label for="name">Name</label> <input id="name" placeholder="Your name"> <button id="greet">Greet</button>
     <p id="greeting" hidden></p>
     <script>
       greet.onclick = () => setTimeout(() => {
         greeting.textContent = 'Hello, ' + document.querySelector('#name').value + '!';
         greeting.hidden = false;
         localStorage.setItem('greeted', document.querySelector('#name').value);
         document.cookie = 'greeted=yes';
       }, 100);
     </script>`,
  ),
  '/shop': page(
    'Fruit',
    `<ul><li class="item"><b class="name">Apple</b> <span class="price">1.20</span></li>
         <li class="item"><b class="name">Pear</b> <span class="price">0.90</span></li></ul>`,
  ),
  '/login': page(
    'Sign in',
    `<form method="post"><input name="username" autocomplete="username">
     <input name="password" type="password" autocomplete="current-password"><button type="submit">Sign in</button></form>`,
  ),
  '/account': page('Your account', '<h1 id="welcome">Signed in</h1><p><a href="/invoices">Invoices</a></p>'),
  '/invoices': page(
    'Invoices',
    `<h1>Invoices</h1><ul><li><a href="/invoices/A-1001">A-1001</a> of 3 September</li>
     <li><a href="/invoices/A-1003">A-1003</a> of 2 November</li><li><a href="/invoices/A-1002">A-1002</a> of 4 October</li></ul>`,
  ),
  '/invoices/A-1003': page(
    'Invoice A-1003',
    '<h1>Invoice A-1003</h1><p>Apples, 900 boxes</p><p>Total: 1,204.50</p>',
  ),
};

const results = (query: string): string =>
  page(
    'Results',
    ['Apples', 'Pears']
      .map(
        (name) =>
          `<div class="result"><a href="/shop"><h3>${name}</h3></a><p>${name} for ${escape(query)}</p></div>`,
      )
      .join(''),
  );

const escape = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

/**
 * Pages for trying the service, on loopback: a form, a shop, a sign-in with invoices behind it, a search engine. 0: any free
 * port.
 */
export const startDemoSite = (port: number): Promise<DemoServer> =>
  serveOnLoopback(port, (request, response) => {
    answer(request).then(
      ({ status, location, cookie, html }) => {
        response.writeHead(status, {
          'content-type': 'text/html; charset=utf-8',
          ...(location && { location }),
          ...(cookie && { 'set-cookie': cookie }),
        });
        response.end(html);
      },
      () => response.destroy(),
    );
  });

interface Answer {
  readonly status: number;
  readonly location?: string;
  readonly cookie?: string;
  readonly html?: string;
}

async function answer(request: IncomingMessage): Promise<Answer> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://demo');
  if (request.method === 'POST') return signIn(request);
  if (/^\/(account|invoices)/.test(pathname) && !isSignedIn(request))
    return { status: 303, location: '/login' };
  if (pathname === '/search') return { status: 200, html: results(searchParams.get('q') ?? '') };
  const html = pages[pathname];
  return html === undefined
    ? { status: 404, html: page('Not found', 'Nothing here.') }
    : { status: 200, html };
}

/** A sign-in sets a session cookie, as on most sites. */
async function signIn(request: IncomingMessage): Promise<Answer> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  const isRight = new URLSearchParams(body).get('password') === 'correct horse';
  if (!isRight) return { status: 303, location: '/login' };
  return { status: 303, location: '/account', cookie: 'signed_in=yes; HttpOnly; SameSite=Lax' };
}

const isSignedIn = ({ headers }: IncomingMessage): boolean =>
  (headers.cookie ?? '').split('; ').includes('signed_in=yes');
