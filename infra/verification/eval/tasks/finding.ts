import type { Task } from '../task.ts';

/** Tasks about lists and pagination. */
export const finding: readonly Task[] = [
  {
    name: 'open one of a list',
    topic: 'lists',
    turns: [
      { sentences: 'go to {site}/items then tap "Item 7"', says: 'Open {site}/items and then Item 7.' },
    ],
    ends: { at: '/items/7', shows: ['It costs 7.00'] },
  },
  {
    name: 'find a link in a menu',
    topic: 'lists',
    turns: [
      {
        sentences: 'go to {site}/menu then tap "Menu" then tap link "Contact"',
        says: 'Open {site}/menu and go to the contact page by its menu.',
      },
    ],
    ends: { at: '/contact', shows: ['Write to us'] },
  },
  {
    name: 'confirm in a dialog',
    topic: 'lists',
    turns: [
      {
        sentences: 'go to {site}/dialog then tap "Remove all" then tap "Yes, remove"',
        says: 'Remove all papers on {site}/dialog. Yes, really all.',
      },
    ],
    ends: { shows: ['Nothing left'], submitted: [{ path: '/papers/removed', fields: {} }] },
  },
  {
    name: 'turn two pages',
    topic: 'pagination',
    turns: [
      {
        sentences:
          'go to {site}/items then tap "Next page" then wait for "Item 11" then tap "Next page" then tap "Item 23"',
        says: 'Item 23 is on the third page of {site}/items. Turn the pages, and open it.',
      },
    ],
    ends: { at: '/items/23', shows: ['It costs 23.00'] },
  },
  {
    name: 'scroll until there is more',
    topic: 'pagination',
    turns: [
      {
        sentences:
          'go to {site}/feed; scroll down 3000; wait for "Entry 20"; scroll down 3000; wait for "Entry 30"; scroll down 3000; wait for "Entry 40"',
        says: 'Scroll down on {site}/feed until Entry 40 is there. Ten more come each time its end is reached, some 1500 pixels on.',
      },
    ],
    ends: { at: '/feed', shows: ['Entry 40'] },
  },
  {
    name: 'load more, twice',
    topic: 'pagination',
    turns: [
      {
        sentences:
          'go to {site}/more; tap "Load more"; wait for "Letter 10"; tap "Load more"; wait for "Letter 15"',
        says: 'On {site}/more, load more until Letter 15 is there. Five come at a time; there are five at first.',
      },
    ],
    ends: { shows: ['Letter 15'], hides: ['Letter 16'] },
  },
];
