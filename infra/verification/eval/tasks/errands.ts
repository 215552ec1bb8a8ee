import { planning } from '../../testbed/model-provider.ts';
import { interact, type Task } from '../task.ts';

/** Pages that change, offer downloads, or sell fruit. */
export const errands: readonly Task[] = [
  {
    name: 'download a file',
    topic: 'downloads',
    turns: [
      {
        sentences: 'go to {site}/files then tap link "Report"',
        says: 'Download the report from {site}/files.',
      },
    ],
    ends: { at: '/files', downloads: ['report.csv'] },
  },
  {
    name: 'export in another format',
    topic: 'downloads',
    turns: [
      {
        sentences: 'go to {site}/files then select "json" in "Format" then tap "Export"',
        says: 'Export as JSON from {site}/files.',
      },
    ],
    ends: { at: '/files', downloads: ['export.json'] },
  },
  {
    name: 'tap a button that is drawn again and again',
    topic: 'changing',
    turns: [
      { sentences: 'go to {site}/moving then tap "Continue"', says: 'Open {site}/moving and continue.' },
    ],
    ends: { shows: ['Step two'], submitted: [{ path: '/continued', fields: {} }] },
  },
  {
    name: 'go through a wizard',
    topic: 'changing',
    turns: [
      {
        sentences:
          'go to {site}/wizard; tap "Next"; wait for "Step 2"; tap "Next"; wait for "Step 3"; tap "Next"; wait for "All done"',
        says: 'Go through all three steps of {site}/wizard, by Next, until it says that all is done.',
      },
    ],
    ends: { shows: ['All done'] },
  },
  {
    name: 'wait for what comes late',
    topic: 'changing',
    turns: [
      {
        sentences: 'go to {site}/late then tap "Start"',
        says: 'Open {site}/late and tap Start once it is there.',
      },
    ],
    ends: { shows: ['Started'] },
  },
  {
    name: 'clear a banner away first',
    topic: 'changing',
    turns: [
      {
        sentences: 'go to {site}/banner then tap "Accept cookies" then tap "Buy now"',
        says: 'Buy on {site}/banner. Its cookies are fine with me; accept them first.',
      },
    ],
    ends: { shows: ['Bought'], submitted: [{ path: '/bought', fields: {} }] },
  },
  {
    name: 'put fruit into the cart',
    topic: 'shop',
    turns: [
      {
        sentences: 'go to {site}/shop then tap button "Add Pear" then tap link "Cart"',
        says: 'Put a pear into the cart of {site}/shop and show me the cart.',
      },
    ],
    ends: { at: '/cart', shows: ['Pear', 'Total 0.90'], hides: ['Apple'] },
  },
  {
    name: 'put two kinds into the cart',
    topic: 'shop',
    turns: [
      {
        sentences:
          'go to {site}/shop; tap button "Add Apple"; tap button "Add Plum"; tap button "Add Plum"; tap link "Cart"',
        says: 'Put an apple and two plums into the cart of {site}/shop and open the cart.',
      },
    ],
    ends: { at: '/cart', shows: ['Total 2.10'] },
  },
  {
    name: 'take something out of the cart',
    topic: 'shop',
    turns: [
      {
        sentences: 'go to {site}/shop; tap button "Add Apple"; tap button "Add Pear"; tap link "Cart"',
        says: 'Put an apple and a pear into the cart of {site}/shop and open the cart.',
      },
      {
        sentences: 'tap button "Remove Apple"',
        says: 'Take the apple out again.',
        replies: [() => planning([interact({ kind: 'tap', role: 'button', name: 'Remove Apple' })])],
      },
    ],
    ends: { at: '/cart', shows: ['Pear', 'Total 0.90'], hides: ['Apple'] },
  },
  {
    name: 'order',
    topic: 'shop',
    turns: [
      {
        sentences:
          'go to {site}/shop; tap button "Add Apple"; tap link "Cart"; type "1 Main Street" into "Address"; tap "Order"',
        says: 'Order one apple at {site}/shop, to 1 Main Street.',
      },
    ],
    ends: {
      at: '/thanks',
      shows: ['Thank you'],
      submitted: [{ path: '/order', fields: { goods: 'Apple', address: '1 Main Street' } }],
    },
  },
];
