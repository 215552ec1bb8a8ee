import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pages, render } from './pages.ts';

/** A form, or a note of a page's script, as it came. */
export interface Submission {
  readonly path: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** A site of one task: what pages do there is seen from here, whatever an agent says. */
export interface EvalSite {
  readonly url: string;
  /** Paths of all pages and files that were asked for. */
  readonly visits: readonly string[];
  readonly submissions: readonly Submission[];
  close(): Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export const password = 'correct horse battery';

export async function startEvalSite(): Promise<EvalSite> {
  const visits: string[] = [];
  const submissions: Submission[] = [];
  const answer = async (request: IncomingMessage): Promise<Answer> => {
    const { pathname: path, searchParams } = new URL(request.url ?? '/', 'http://site');
    if (request.method !== 'POST') {
      visits.push(path);
      return pageOf(path, searchParams, request);
    }
    const fields = Object.fromEntries(new URLSearchParams(await textOf(request)));
    submissions.push({ path, fields });
    return afterPost(path, fields);
  };
  const server = createServer((request, response) => {
    answer(request).then(
      ({ status, headers, body }) =>
        void response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(body),
      () => response.destroy(),
    );
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    visits,
    submissions,
    close: async () => {
      const closed = once(server.close(), 'close');
      server.closeAllConnections();
      await closed;
    },
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}

const redirect = (location: string, cookie?: string): Answer => ({
  status: 303,
  headers: { location, ...(cookie !== undefined && { 'set-cookie': cookie }) },
});
const file = (name: string, content: string): Answer => ({
  status: 200,
  headers: {
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename="${name}"`,
  },
  body: content,
});
const html = (title: string, body: string): Answer => ({ status: 200, body: render({ title, body }) });

/** Pages that are made for whoever asks. */
const made: Readonly<Record<string, (query: URLSearchParams, cookie: string) => Answer | undefined>> = {
  '/account': (_, cookie) => (cookie.includes('signed_in=yes') ? undefined : redirect('/login')),
  '/logout': () => redirect('/login', 'signed_in=no'),
  '/results': (query) => html('Results', `<h1>Results for ${escape(query.get('q') ?? '')}</h1>`),
  '/files/report.csv': () => file('report.csv', 'fruit,price\napple,1.20\n'),
  '/export': (query) => file(`export.${query.get('format') === 'json' ? 'json' : 'csv'}`, '[]'),
};

function pageOf(path: string, query: URLSearchParams, { headers }: IncomingMessage): Answer {
  const answer = made[path]?.(query, headers.cookie ?? '');
  if (answer) return answer;
  const [, item] = /^\/items\/(\d+)$/.exec(path) ?? [];
  if (item !== undefined) return html(`Item ${item}`, `<h1>Item ${item}</h1><p>It costs ${item}.00</p>`);
  const page = pages[`${path}?${query.toString().replace(/=$/, '')}`] ?? pages[path];
  return page === undefined ? { status: 404, body: 'Nothing here.' } : { status: 200, body: render(page) };
}

const escape = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

/** Where forms lead. */
const afterForms: Readonly<Record<string, string>> = {
  '/sign-up': '/welcome',
  '/account': '/account?saved',
  '/profile': '/welcome',
  '/order': '/thanks',
};

function afterPost(path: string, fields: Readonly<Record<string, string>>): Answer {
  if (path === '/login')
    return fields.password === password
      ? redirect('/account', 'signed_in=yes; HttpOnly')
      : redirect('/login?wrong');
  const next = afterForms[path];
  return next === undefined ? { status: 204 } : redirect(next);
}
