import { pages, render } from './pages.ts';
import { escape, file, redirect, type Answer, type Asked, type Site } from './site.ts';

export const password = 'correct horse battery';

/** Serves the pages of `pages.ts`, and records all submissions unchanged. */
export const localPages: Site =
  ({ record }) =>
  (asked) => {
    if (asked.method !== 'POST') return pageOf(asked);
    record(asked.path, asked.fields);
    return afterPost(asked);
  };

const html = (title: string, body: string): Answer => ({ status: 200, body: render({ title, body }) });

/** Pages generated per request. */
const made: Readonly<Record<string, (asked: Asked) => Answer | undefined>> = {
  '/account': ({ cookie }) => (cookie.includes('signed_in=yes') ? undefined : redirect('/login')),
  '/logout': () => redirect('/login', 'signed_in=no'),
  '/results': ({ query }) => html('Results', `<h1>Results for ${escape(query.q ?? '')}</h1>`),
  '/files/report.csv': () => file('report.csv', 'fruit,price\napple,1.20\n'),
  '/export': ({ query }) => file(`export.${query.format === 'json' ? 'json' : 'csv'}`, '[]'),
};

function pageOf(asked: Asked): Answer {
  const { path, query } = asked;
  const answer = made[path]?.(asked);
  if (answer) return answer;
  const [, item] = /^\/items\/(\d+)$/.exec(path) ?? [];
  if (item !== undefined) return html(`Item ${item}`, `<h1>Item ${item}</h1><p>It costs ${item}.00</p>`);
  const search = new URLSearchParams(query).toString().replace(/=$/, '');
  const page = pages[`${path}?${search}`] ?? pages[path];
  return page === undefined ? { status: 404, body: 'Nothing here.' } : { status: 200, body: render(page) };
}

/** Redirects after forms. */
const afterForms: Readonly<Record<string, string>> = {
  '/sign-up': '/welcome',
  '/account': '/account?saved',
  '/profile': '/welcome',
  '/order': '/thanks',
};

function afterPost({ path, fields }: Asked): Answer {
  if (path === '/login')
    return fields.password === password
      ? redirect('/account', 'signed_in=yes; HttpOnly')
      : redirect('/login?wrong');
  const next = afterForms[path];
  return next === undefined ? { status: 204 } : redirect(next);
}
