import { wait, type Case } from './case.ts';

const until = (
  says: string,
  page: string,
  condition: Parameters<typeof wait>[0],
  more: Partial<Case> = {},
): Case => ({ says, page, does: wait(condition), answers: /met/, ...more });

const never = (says: string, page: string, condition: Parameters<typeof wait>[0]): Case => ({
  says: `does not take ${says}`,
  page,
  does: wait(condition),
  fails: ['timeout', /not met in time/],
  limit: 200,
});

const text = (words: string, selector?: string) =>
  ({ kind: 'text', text: words, ...(selector !== undefined && { selector }) }) as const;

const url = (pattern: string) => ({ kind: 'url', pattern }) as const;

export const conditions: readonly Case[] = [
  until('text', '<p>Ready now</p>', text('Ready')),
  until(
    'text that comes',
    '<p id="p"></p><script>late(100, () => { $("#p").textContent = "Done" })</script>',
    text('Done'),
  ),
  until('text as CSS shows it', '<p style="text-transform:uppercase">Ready</p>', text('READY')),
  until('text as it is in the source', '<p style="text-transform:uppercase">Ready</p>', text('Ready')),
  until(
    'text with capital letters by CSS',
    '<p style="text-transform:capitalize">ready now</p>',
    text('Ready Now'),
  ),
  until('text with no-break spaces', '<p>1&nbsp;000&nbsp;€</p>', text('1 000 €')),
  until('text asked for with a no-break space', '<p>1 000 €</p>', text('1\u00a0000 €')),
  until('text that is broken in the source', '<p>one\n   two</p>', text('one two')),
  until('text over several elements', '<p>one <b>two</b> three</p>', text('one two three')),
  until('text in a field', '<input value="In the field">', text('In the field')),
  until('text that was set in a field', '<input id="i"><script>$("#i").value = "set"</script>', text('set')),
  until('text in an area', '<textarea>In the area</textarea>', text('In the area')),
  until('text of the chosen option', '<select><option>a<option selected>Chosen</select>', text('Chosen')),
  until('text of a button of a form', '<input type="submit" value="Send it">', text('Send it')),
  until('text within an element', '<p>no</p><p id="p">yes</p>', text('yes', '#p')),
  until('a value of the field named', '<input id="i" value="yes">', text('yes', '#i')),
  never('text that is elsewhere', '<p id="a">no</p><p>yes</p>', text('yes', '#a')),
  never('text that is hidden', '<p style="display:none">hidden</p>', text('hidden')),
  never(
    'text that is hidden and changed by CSS',
    '<p style="display:none;text-transform:uppercase">hidden</p>',
    text('hidden'),
  ),
  never('the text of a password', '<input type="password" value="secret">', text('secret')),
  until('text in another case', '<p>Ready</p>', text('rEADY')),
  until(
    'text whose capital letters are more',
    '<p style="text-transform:uppercase">Große</p>',
    text('große'),
  ),
  until('a value in another case', '<input value="In the field">', text('in The Field')),
  until('text in another case within an element', '<p id="p">Yes</p>', text('YES', '#p')),
  until(
    'text with characters without a width in it',
    '<p>/v1/&#8203;sess&shy;ions/&#xfeff;{id}</p>',
    text('/v1/sessions/{id}'),
  ),
  until('text asked for with such characters', '<p>sessions</p>', text('ses\u200bsi\u00adons\ufeff')),
  never('text of a script', '<script>"scripted"</script>', text('scripted')),
  until('an element that is visible', '<p id="p">a</p>', { kind: 'selector', selector: '#p' }),
  until('an element that is attached', '<p id="p" hidden>a</p>', {
    kind: 'selector',
    selector: '#p',
    state: 'attached',
  }),
  until('an element that is hidden', '<p id="p" hidden>a</p>', {
    kind: 'selector',
    selector: '#p',
    state: 'hidden',
  }),
  until('hidden for one that is missing', '', { kind: 'selector', selector: '#p', state: 'hidden' }),
  until('an element that goes', '<p id="p">a</p><script>late(100, () => $("#p").remove())</script>', {
    kind: 'selector',
    selector: '#p',
    state: 'detached',
  }),
  until(
    'an element that hides',
    '<p id="p">a</p><script>late(100, () => { $("#p").hidden = true })</script>',
    { kind: 'selector', selector: '#p', state: 'hidden' },
  ),
  until('an element by text', '<p>Row</p>', { kind: 'selector', text: 'Row' }),
  until('an element by role and name', '<button>Go</button>', {
    kind: 'selector',
    role: 'button',
    name: 'Go',
  }),
  until(
    'an element by label that goes',
    '<label>Name <input id="i"></label><script>late(100, () => $("label").remove())</script>',
    { kind: 'selector', label: 'Name', state: 'detached' },
  ),
  until('any of several that is visible', '<p class="p" hidden>a</p><p class="p">b</p>', {
    kind: 'selector',
    selector: '.p',
  }),
  never('an element without size', '<p id="p" style="height:0;margin:0;overflow:hidden"></p>', {
    kind: 'selector',
    selector: '#p',
  }),
  never('an element that is invisible', '<p id="p" style="visibility:hidden">a</p>', {
    kind: 'selector',
    selector: '#p',
  }),
  never('an element that stays', '<p id="p">a</p>', { kind: 'selector', selector: '#p', state: 'detached' }),
  until('an element that is transparent', '<p id="p" style="opacity:0">a</p>', {
    kind: 'selector',
    selector: '#p',
  }),
  until('an address by **', '', url('**/page')),
  until('an address by *', '', url('http://127.0.0.1:*/*/page')),
  until('an address by one of several', '', url('**/{start,page}')),
  until('an address by one of several with wildcards', '', url('http{s,}://**/{a*,p?ge}')),
  until('an address by an expression', '', url('/\\/page$/')),
  until('an address by an expression with flags', '', url('/\\/PAGE$/i')),
  until(
    'an address that a script sets',
    '<script>late(100, () => history.pushState(null, "", "?q=1"))</script>',
    url('**?q=1'),
  ),
  until(
    'an address with a part',
    '<script>late(100, () => { location.hash = "done" })</script>',
    url('**#done'),
  ),
  until(
    'an address that a page leads to',
    '<script>late(100, () => { location.href = "{{here}}next" })</script>',
    url('**/next'),
    { frames: { next: 'Next' } },
  ),
  until(
    'text on a page that is led to',
    '<script>late(100, () => { location.href = "{{here}}next" })</script>',
    text('Arrived'),
    { frames: { next: 'Arrived' } },
  ),
  never('an address in another case', '', url('**/PAGE')),
  never('an address that has more steps', '', url('http://127.0.0.1:*/page')),
  never('a group as text', '', url('**/{page')),
  until('a delay', '', { kind: 'delay', ms: 5 }),
  until('a load', '', { kind: 'load_state', state: 'load' }),
];
