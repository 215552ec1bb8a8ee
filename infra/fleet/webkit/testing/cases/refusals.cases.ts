import { press, tap, type, type Case } from './case.ts';

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
  ...(
    [
      [
        'a swipe from outside of the viewport',
        '',
        { kind: 'swipe', x1: 9_999, y1: 1, x2: 10, y2: 10 },
        /outside the viewport/,
      ],
      [
        'a pinch outside of the viewport',
        '',
        { kind: 'pinch', x: 9_999, y: 1, scale: 2 },
        /outside the viewport/,
      ],
      [
        'a drag from outside of the viewport',
        '',
        { kind: 'drag', from: { x: -5, y: 1 }, to: { x: 10, y: 10 } },
        /outside the viewport/,
      ],
      [
        'a double tap outside of the viewport',
        '',
        { kind: 'double_tap', x: 1, y: 9_999 },
        /outside the viewport/,
      ],
      ['a tap with half a point', '', { kind: 'tap', x: 1 }, /both x and y/],
      [
        'to focus what takes no focus',
        '<p id="p">a</p>',
        { kind: 'focus', selector: '#p' },
        /takes no focus: it is p#p/,
      ],
      [
        'a key in what takes no focus',
        '<p id="p">a</p>',
        { kind: 'press', key: 'x', selector: '#p' },
        /takes no focus: it is p#p/,
      ],
      ['text for a file field', '<input id="i" type="file">', type('#i', 'x'), /takes no text/],
      ['text for a radio button', '<input id="i" type="radio">', type('#i', 'x'), /takes no text/],
      ['text for a submit button', '<input id="i" type="submit">', type('#i', 'x'), /takes no text/],
      [
        'to clear a list',
        '<select id="s"><option>a</select>',
        { kind: 'clear', selector: '#s' },
        /takes no text/,
      ],
      [
        'a drag of two elements that the viewport does not hold together',
        '<div id="s" style="width:50px;height:50px">S</div><div style="height:1500px"></div><div id="t" style="width:50px;height:50px">T</div>',
        { kind: 'drag', from: { selector: '#s' }, to: { selector: '#t' } },
        /at the same time/,
      ],
      ['a name without a role', '<button>a</button>', { kind: 'tap', name: 'a' }, /role/],
      ['a key that no keyboard has', '', press('ё'), /no key of that name/],
      ['an emoji as a key', '', press('😊'), /no key of that name/],
      [
        'a selector of a frame that is none',
        '',
        { kind: 'tap', selector: 'a', frame: '!!' },
        /not a valid CSS selector/,
      ],
      [
        'to wait for a selector that is none',
        '',
        { kind: 'wait', condition: { kind: 'selector', selector: 'a[' } },
        /not a valid CSS selector/,
      ],
      [
        'to capture by a selector that is none',
        '',
        { kind: 'capture', selector: 'a[' },
        /not a valid CSS selector/,
      ],
      [
        'to extract by a selector that is none',
        '',
        { kind: 'extract', schema: { type: 'string', 'x-selector': 'a[' } },
        /not a valid CSS selector/,
      ],
      ['a number that is none', '<input id="i" type="number">', type('#i', '1,5'), /type number takes/],
      ['a short color', '<input id="i" type="color">', type('#i', '#fff'), /type color takes/],
      [
        'a number between the steps of a range',
        '<input id="i" type="range">',
        type('#i', '15.43'),
        /type range takes/,
      ],
    ] as const
  ).map(([says, page, does, reason]) => refuses(says, page, does, reason)),
];
