import type { Case } from './site-case.ts';

const ask = (script: string) => `<button id="ask" onclick="document.title = String(${script})">Ask</button>`;
const yes = { dialogs: { accept: true } };
const no = { dialogs: { accept: false } };
const leaving = `<input id="name"><a id="on" href="/next">On</a><script>
  addEventListener('beforeunload', (event) => { event.preventDefault(); event.returnValue = 'stay'; });</script>`;
let letOpen = (): void => undefined;
/** Resolves when the first operation of the case has ended, however long it took. */
const isOpen = new Promise<void>((resolve) => (letOpen = resolve));

export const dialogs: readonly Case[] = [
  {
    says: 'an alert is accepted and listed',
    pages: { '/': ask(`alert('Saved')`) },
    does: async ({ tap }) => (await tap('#ask')).dialogs,
    gives: [{ type: 'alert', accepted: true, message: 'Saved' }],
  },
  {
    says: 'a confirm is not accepted',
    pages: { '/': ask(`confirm('Delete everything?')`) },
    does: async ({ tap, title }) => [(await tap('#ask')).dialogs, await title()],
    gives: [[{ type: 'confirm', accepted: false, message: 'Delete everything?' }], 'false'],
  },
  {
    says: 'a prompt is not accepted and gives null',
    pages: { '/': ask(`prompt('Name?', 'Ada')`) },
    does: async ({ tap, title }) => [(await tap('#ask')).dialogs, await title()],
    gives: [[{ type: 'prompt', accepted: false, message: 'Name?' }], 'null'],
  },
  {
    says: 'a confirm is accepted if the action requests that',
    pages: { '/': ask(`confirm('Sure?')`) },
    does: async ({ tap, title }) => [(await tap('#ask', yes)).dialogs?.[0]?.accepted, await title()],
    gives: [true, 'true'],
  },
  {
    says: 'a prompt that is accepted gives its default',
    pages: { '/': ask(`prompt('Name?', 'Ada')`) },
    does: async ({ tap, title }) => (await tap('#ask', yes), title()),
    gives: 'Ada',
  },
  {
    says: 'a prompt that is accepted without a default gives nothing',
    pages: { '/': ask(`JSON.stringify(prompt('Name?'))`) },
    does: async ({ tap, title }) => (await tap('#ask', yes), title()),
    gives: '""',
  },
  {
    says: 'a prompt gives the text of the action',
    pages: { '/': ask(`prompt('Name?', 'Ada')`) },
    does: async ({ tap, title }) => (
      await tap('#ask', { dialogs: { accept: true, prompt_text: 'Grace ❤' } }),
      title()
    ),
    gives: 'Grace ❤',
  },
  {
    says: 'a prompt gives an empty text too',
    pages: { '/': ask(`JSON.stringify(prompt('Name?', 'Ada'))`) },
    does: async ({ tap, title }) => (
      await tap('#ask', { dialogs: { accept: true, prompt_text: '' } }),
      title()
    ),
    gives: '""',
  },
  {
    says: 'an alert has one button, whatever the action says',
    pages: { '/': ask(`alert('Saved')`) },
    does: async ({ tap }) => (await tap('#ask', no)).dialogs,
    gives: [{ type: 'alert', accepted: true, message: 'Saved' }],
  },
  {
    says: 'answers of one action are not those of the next',
    pages: { '/': ask(`confirm('Sure?')`) },
    does: async ({ tap, title }) => (await tap('#ask', yes), await tap('#ask'), title()),
    gives: 'false',
  },
  {
    says: 'answers of an action that failed are not those of the next',
    pages: { '/': ask(`confirm('Sure?')`) },
    does: async ({ tap, title, failure }) => (
      await failure(tap('#none', yes, 1_000)),
      await tap('#ask'),
      title()
    ),
    gives: 'false',
  },
  {
    says: 'several dialogs of one action are listed in their order',
    pages: { '/': ask(`[alert(1), confirm(2), prompt(3)]`) },
    does: async ({ tap }) => (await tap('#ask')).dialogs?.map(({ type, message }) => type + message),
    gives: ['alert1', 'confirm2', 'prompt3'],
  },
  {
    says: 'an action without dialogs lists none',
    pages: { '/': ask('1') },
    does: async ({ tap }) => 'dialogs' in (await tap('#ask')),
    gives: false,
  },
  {
    says: 'endless dialogs of a page are answered, and twenty of them are listed',
    pages: { '/': ask(`Array.from({ length: 30 }, (_, n) => confirm(n)).length`) },
    does: async ({ tap, title }) => [(await tap('#ask')).dialogs?.length, await title()],
    gives: [20, '30'],
  },
  {
    says: 'a long message is cut',
    pages: { '/': ask(`alert('x'.repeat(5000))`) },
    does: async ({ tap }) => (await tap('#ask')).dialogs?.[0]?.message.length,
    gives: 1000,
  },
  {
    says: 'a dialog of a frame is answered',
    pages: {
      '/': '<iframe src="/frame"></iframe>',
      '/frame': `<script>parent.document.title = confirm('In?')</script>`,
    },
    does: ({ title }) => title(),
    gives: 'false',
  },
  {
    says: 'a dialog while a page loads is listed with the navigation',
    pages: { '/': '', '/loud': `<script>alert('Hello')</script>` },
    does: async ({ go }) => (await go('/loud')).dialogs,
    gives: [{ type: 'alert', accepted: true, message: 'Hello' }],
  },
  {
    says: 'a dialog that opens between two operations is listed with the second',
    pages: {
      '/': `<p>x</p><script>fetch('/late').then(() => { alert('Late'); document.title = 'Over'; })</script>`,
      '/late': (_request, reply) => void isOpen.then(() => reply.end()),
    },
    does: async ({ tap, titleAfter }) => {
      letOpen();
      await titleAfter('');
      return (await tap('p')).dialogs?.[0]?.message;
    },
    gives: 'Late',
  },
  {
    says: 'a page that asks whether to leave is left',
    pages: { '/': leaving, '/next': '<title>Next</title>' },
    does: async ({ act, tap, title }) => {
      await act({ kind: 'type', selector: '#name', text: 'a' });
      return [(await tap('#on')).dialogs?.map(({ type, accepted }) => [type, accepted]), await title()];
    },
    gives: [[['beforeunload', true]], 'Next'],
  },
  {
    says: 'a page that asks whether to leave is not left if the action requests that',
    pages: { '/': leaving, '/next': '<title>Next</title>' },
    does: async ({ act, tap, title }) => {
      await act({ kind: 'type', selector: '#name', text: 'a' });
      return [(await tap('#on', no)).dialogs?.map(({ type, accepted }) => [type, accepted]), await title()];
    },
    gives: [[['beforeunload', false]], ''],
  },
  {
    says: 'a page that asks whether to leave does not stop a navigation',
    pages: { '/': leaving, '/next': '<title>Next</title>' },
    does: async ({ act, go, title }) => {
      await act({ kind: 'type', selector: '#name', text: 'a' });
      return [(await go('/next')).dialogs?.[0]?.type, await title()];
    },
    gives: ['beforeunload', 'Next'],
  },
];
