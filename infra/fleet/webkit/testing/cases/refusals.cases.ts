import { tap, type, type Case } from './case.ts';

const refuses = (says: string, page: string, does: Case['does'], reason: RegExp): Case => ({
  says: `refuses ${says} at once`,
  page,
  does,
  fails: ['page', reason],
  limit: 4_000,
});

export const refusals: readonly Case[] = [
  refuses('a selector that is none', '', tap('!!'), /not a valid CSS selector/),
  refuses(
    'text for a button',
    '<button id="b">Go</button>',
    type('#b', 'x'),
    /takes no text: it is button#b/,
  ),
  refuses('text for a check box', '<input id="i" type="checkbox">', type('#i', 'x'), /takes no text/),
  refuses('text for a list', '<select id="s"><option>a</select>', type('#s', 'x'), /takes no text/),
  refuses('text for a paragraph', '<p id="p">a</p>', type('#p', 'x'), /takes no text/),
  refuses(
    'to clear a button',
    '<button id="b">Go</button>',
    { kind: 'clear', selector: '#b' },
    /takes no text/,
  ),
  refuses(
    'to check what is no box',
    '<div id="d">a</div>',
    { kind: 'check', selector: '#d', checked: true },
    /no check box: it is div#d/,
  ),
  refuses(
    'to uncheck a radio button',
    '<input id="r" type="radio" checked>',
    { kind: 'check', selector: '#r', checked: false },
    /radio/,
  ),
  refuses(
    'to select of what is no list',
    '<input id="i">',
    { kind: 'select', selector: '#i', values: ['a'] },
    /no list/,
  ),
  refuses(
    'files for a text field',
    '<input id="i">',
    { kind: 'upload', selector: '#i', files: [{ name: 'a', data_base64: 'YQ==' }] },
    /takes no files/,
  ),
  refuses(
    'two files for a field of one',
    '<input id="i" type="file">',
    {
      kind: 'upload',
      selector: '#i',
      files: [
        { name: 'a', data_base64: 'YQ==' },
        { name: 'b', data_base64: 'YQ==' },
      ],
    },
    /one file/,
  ),
  refuses('a point outside of the viewport', '', { kind: 'tap', x: 9_999, y: 1 }, /outside the viewport/),
  refuses('two names for one element', '<p>a</p>', { kind: 'tap', selector: 'p', text: 'a' }, /in one way/),
  refuses('an action without an element', '', { kind: 'clear' }, /Name the element/),
  refuses('a key that is none', '', { kind: 'press', key: 'NoSuchKey' }, /no key of that name/),
  refuses(
    'an element for a frame',
    '<p id="p">a</p>',
    { kind: 'tap', selector: 'a', frame: '#p' },
    /which is none/,
  ),
  refuses(
    'a pattern that is none',
    '',
    { kind: 'wait', condition: { kind: 'url', pattern: '/(/' } },
    /regular expression/,
  ),
  ...(
    [
      ['date', '2024-13-45'],
      ['date', 'tomorrow'],
      ['time', '25:00'],
      ['datetime-local', 'noon'],
      ['month', '2024'],
      ['week', '2024-01-01'],
      ['number', 'twelve'],
      ['range', '1000'],
      ['color', 'reddish'],
    ] as const
  ).map(([kind, text]) =>
    refuses(
      `${text} for a field of type ${kind}`,
      `<input id="i" type="${kind}">`,
      type('#i', text),
      new RegExp(`type ${kind} takes`),
    ),
  ),
];
