import { type Case } from './case.ts';

const form =
  '<form onsubmit="event.preventDefault(); log($(\'[name=user]\').value + \':\' + $(\'[name=pass]\').value); this.remove()"><input name="user"><input name="pass" type="password"><button>Sign in</button></form>';

const fields = { username: 'ada', password: 'p😀' };

export const logins: readonly Case[] = [
  {
    says: 'fills and sends the form',
    page: form,
    does: { kind: 'login', fields },
    answers: /^authenticated$/,
    expect: 'ada:p😀',
  },
  {
    says: 'waits for the form',
    page: `<div id="d"></div><script>late(300, () => { $('#d').innerHTML = \`${form.replaceAll('`', '')}\` })</script>`,
    does: { kind: 'login', fields },
    answers: /^authenticated$/,
    expect: 'ada:p😀',
  },
  {
    says: 'waits until fields are enabled',
    page: `${form}<script>for (const i of document.querySelectorAll('input')) { i.disabled = true; late(200, () => { i.disabled = false }) }</script>`,
    does: { kind: 'login', fields },
    answers: /^authenticated$/,
    expect: 'ada:p😀',
  },
  {
    says: 'fills a form in a shadow tree',
    page: `<x-f></x-f><script>customElements.define('x-f', class extends HTMLElement { constructor() { super(); const r = this.attachShadow({ mode: 'open' }); r.innerHTML = '<form><input name="user"><input name="pass" type="password"><button>Go</button></form>'; r.querySelector('form').onsubmit = (e) => { e.preventDefault(); log(r.querySelector('[name=user]').value); r.innerHTML = '' } } })</script>`,
    does: { kind: 'login', fields },
    answers: /^authenticated$/,
    expect: 'ada',
  },
  {
    says: 'says when there is no form',
    page: '',
    does: { kind: 'login', fields },
    fails: ['timeout', /no sign-in form/],
  },
  {
    says: 'types over what is there',
    page: form.replace('name="user"', 'name="user" value="old"'),
    does: { kind: 'login', fields },
    expect: 'ada:p😀',
  },
];
