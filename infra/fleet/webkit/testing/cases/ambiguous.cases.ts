import type { Action } from '../../../../../contracts/resources/session.ts';
import { log, strictly } from './observing.ts';
import type { Case } from './site-case.ts';

const buttons = (first: string, second: string) =>
  `${log}<button ${first}>Buy</button><button ${second}>Buy</button>`;
const fits = (says: string, page: string, action: Action, gives: string): Case => ({
  says,
  pages: { '/': page },
  does: async (on) => {
    await strictly(on, action);
    return on.title();
  },
  gives,
});
const buy: Action = { kind: 'tap', text: 'Buy' };
const alike = (what: string) =>
  `page element_not_found: The target matches ${what} equally. Name one of them by its ref, or be more specific.`;
const refused = (says: string, page: string, action: Action, what: string): Case => ({
  says,
  pages: { '/': page },
  does: (on) => on.failure(strictly(on, action)),
  gives: alike(what),
});

export const ambiguous: readonly Case[] = [
  refused(
    'are refused if two match equally, and both are named',
    buttons('id="a"', 'class="b"'),
    buy,
    'button#a and button.b',
  ),
  refused(
    'are refused by role and name, by label and by selector too',
    '<input id="x" aria-label="Name"><input id="y" aria-label="Name">',
    { kind: 'type', label: 'Name', text: 'a' },
    'input#x and input#y',
  ),
  refused(
    'are refused by selector too',
    buttons('id="a"', 'id="b"'),
    { kind: 'tap', selector: 'button' },
    'button#a and button#b',
  ),
  {
    says: 'are named by their refs if the page has been observed',
    pages: { '/': buttons('id="a"', 'id="b"') },
    does: async (on) => {
      const [first = '', second = ''] = (await on.observe()).elements.map(({ ref }) => ref);
      const reason = await on.failure(strictly(on, buy));
      return reason.replace(first, 'e1').replace(second, 'e2');
    },
    gives: alike('e1 (button#a) and e2 (button#b)'),
  },
  fits(
    'are found if the other match is hidden',
    buttons('style="display:none"', 'onclick="log(2)"'),
    buy,
    '2',
  ),
  fits(
    'are found if the other match is covered',
    `${log}<div style="position:relative"><button onclick="log(1)">Buy</button><div style="position:absolute;inset:0;background:red"></div></div>
     <button onclick="log(2)">Buy</button>`,
    buy,
    '2',
  ),
  fits(
    'are found if the other match is only text',
    `${log}<p>Buy</p><button onclick="log(2)">Buy</button>`,
    buy,
    '2',
  ),
  fits(
    'are found if the other one matches only in part',
    `${log}<button onclick="log(1)">Buy all</button><button onclick="log(2)">Buy</button>`,
    buy,
    '2',
  ),
  fits(
    'are found if both matches belong to one link',
    `${log}<a href="#" onclick="log(1)"><b>Buy</b> <i>Buy</i></a>`,
    buy,
    '1',
  ),
  {
    says: 'are the first visible match if the action is not strict',
    pages: { '/': buttons('onclick="log(1)"', 'onclick="log(2)"') },
    does: async (on) => [(await on.act(buy)).summary, await on.title()],
    gives: ['Tapped. It was the first of 2 that match.', '1'],
  },
];
