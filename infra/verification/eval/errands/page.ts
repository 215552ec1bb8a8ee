import { render } from '../pages.ts';
import { escape, redirect, type Answer, type Asked, type Fields } from '../site.ts';

/** A request of a route; `id`: the last segment of the path if the route ends in `*`. */
export type Visit = Asked & { readonly id: string };
/** Returns a page's body, an address to redirect to, or an answer. */
export type Route = (visit: Visit) => string | Answer;

/** Routes by path for pages, by `POST` and path for forms; a `*` at the end matches one segment. */
export const routed =
  (routes: Readonly<Record<string, Route>>) =>
  (asked: Asked): Answer => {
    const key = asked.method === 'GET' ? asked.path : `${asked.method} ${asked.path}`;
    const id = asked.path.slice(asked.path.lastIndexOf('/') + 1);
    const route = routes[key] ?? routes[`${key.slice(0, key.length - id.length)}*`];
    const answer = route?.({ ...asked, id }) ?? {
      status: 404,
      body: page('Not found', 'There is nothing here.'),
    };
    if (typeof answer !== 'string') return answer;
    return answer.startsWith('/') ? redirect(answer) : { status: 200, body: answer };
  };

export const page = (title: string, ...parts: readonly string[]): string =>
  render({ title, body: [`<h1>${title}</h1>`, ...parts].join('\n') });
export const link = (href: string, text: string, more = ''): string =>
  `<p><a href="${href}" ${more}>${text}</a></p>`;
export const list = (items: readonly string[]): string =>
  `<ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul>`;
export const alert = (text: string): string => (text === '' ? '' : `<p role="alert">${text}</p>`);

/** A form with its fields and one button. */
export const form = (action: string, button: string, ...fields: readonly string[]): string =>
  `<form method="post" action="${action}">${fields.join('\n')}<p><button>${button}</button></p></form>`;
export const field = (label: string, name: string, type = 'text', value = ''): string =>
  `<p><label>${label} <input name="${name}" type="${type}" value="${escape(value)}"></label></p>`;
export const box = (label: string, name: string): string =>
  `<p><label><input name="${name}" type="checkbox"> ${label}</label></p>`;
export const choice = (label: string, name: string, options: readonly string[]): string =>
  `<p><label>${label} <select name="${name}">${options.map((each) => `<option>${each}</option>`).join('')}</select></label></p>`;
export const radios = (name: string, options: readonly string[]): string =>
  options
    .map((each) => `<p><label><input type="radio" name="${name}" value="${each}"> ${each}</label></p>`)
    .join('');

/** The names of empty fields. */
export const missing = (fields: Fields, names: readonly string[]): readonly string[] =>
  names.filter((name) => !fields[name]);
