import type { Case, Served } from './site-case.ts';

const html = { 'content-type': 'text/html' };
const after =
  (ms: number, body: string): Served =>
  (_request, reply) =>
    void setTimeout(() => reply.writeHead(200, html).end(body), ms);
/** A server that takes longer than a page that answers by itself. */
const slowMs = 2_500;
const form = (more = '') =>
  `<form method="post" action="/in" ${more}><input name="user"><input name="pass" type="password"><button>Sign in</button></form>`;
const fields = { username: 'ada', password: 'right' };
/** Disables the fields until the server has answered. */
const fetching = `onsubmit="event.preventDefault();
  const all = [...this.querySelectorAll('input')];
  const disable = (on) => all.forEach((input) => { input.disabled = on });
  disable(true);
  fetch('/in').then(() => disable(false))"`;

export const signIns: readonly Case[] = [
  {
    says: 'a server that takes its time has signed in',
    pages: { '/': form(), '/in': after(slowMs, '<title>In</title>') },
    does: async (on) => [(await on.login({ fields })).status, await on.title()],
    gives: ['authenticated', 'In'],
  },
  {
    says: 'a page that is late to show its success has signed in',
    pages: {
      '/': form(),
      '/in': `<body><script>setTimeout(() => { document.body.innerHTML = '<p id="hi">Hi</p>' }, ${slowMs})</script>`,
    },
    does: async (on) => (await on.login({ fields, success: { kind: 'selector', selector: '#hi' } })).status,
    gives: 'authenticated',
  },
  {
    says: 'a form that is disabled until a late refusal was refused',
    pages: { '/': form(fetching), '/in': after(slowMs, '') },
    does: async (on) => (await on.login({ fields })).status,
    gives: 'failed',
  },
];
