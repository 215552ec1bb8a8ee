import { planning } from '../../testbed/model-provider.ts';
import { goTo, interact, type Task } from '../task.ts';

const signUp = { name: '', email: '', size: 'Small', plan: 'free', birthday: '', notes: '', terms: 'on' };

export const forms: readonly Task[] = [
  {
    name: 'greet a person',
    topic: 'forms',
    turns: [
      {
        sentences: 'go to {site}/greet then type "Ada" into "Name" then tap "Greet"',
        says: 'Open {site}/greet and have it greet Ada.',
      },
    ],
    ends: { at: '/greet', shows: ['Hello, Ada!'] },
  },
  {
    name: 'sign up with a size and a date',
    topic: 'forms',
    turns: [
      {
        sentences:
          'go to {site}/sign-up; type "Ada Lovelace" into "Full name"; type "ada@example.org" into "E-mail"; select "Large" in "Size"; ' +
          'type "1990-12-10" into "Birthday"; check "I agree to the terms"; tap "Create account"',
        says:
          'Sign up at {site}/sign-up as Ada Lovelace, ada@example.org, born on 10 December 1990, size Large. I agree to the terms, ' +
          'and leave everything else as it is.',
      },
    ],
    ends: {
      at: '/welcome',
      submitted: [
        {
          path: '/sign-up',
          fields: {
            ...signUp,
            name: 'Ada Lovelace',
            email: 'ada@example.org',
            size: 'Large',
            birthday: '1990-12-10',
            news: 'on',
          },
        },
      ],
    },
  },
  {
    name: 'choose another plan and no news',
    topic: 'forms',
    turns: [
      {
        sentences:
          'go to {site}/sign-up then check "Pro" then uncheck "Send me news" then check "I agree to the terms" then tap "Create account"',
        says: 'On {site}/sign-up, choose the Pro plan without news, agree to the terms and create the account. Fill in nothing else.',
        replies: [
          (site) =>
            planning([
              goTo(`${site}/sign-up`),
              interact({ kind: 'check', role: 'radio', name: 'Pro', checked: true }),
              interact({ kind: 'check', role: 'checkbox', name: 'Send me news', checked: false }),
              interact({ kind: 'check', selector: '[name=terms]', checked: true }),
              interact({ kind: 'tap', role: 'button', name: 'Create account' }),
            ]),
        ],
      },
    ],
    ends: { at: '/welcome', submitted: [{ path: '/sign-up', fields: { ...signUp, plan: 'pro' } }] },
  },
  {
    name: 'write a note with separators in it',
    topic: 'forms',
    turns: [
      {
        sentences:
          'go to {site}/sign-up; type "wait; then tap \\"Greet\\"" into "Notes"; check "I agree to the terms"; tap "Create account"',
        says: 'At {site}/sign-up write the note: wait; then tap "Greet" (just that text), agree to the terms, create the account.',
      },
    ],
    ends: {
      at: '/welcome',
      submitted: [{ path: '/sign-up', fields: { ...signUp, notes: 'wait; then tap "Greet"', news: 'on' } }],
    },
  },
  {
    name: 'correct what a form complains about',
    topic: 'forms',
    turns: [
      {
        sentences:
          'go to {site}/sign-up then tap "Create account" then wait for "You have to agree to the terms."',
        says: 'Open {site}/sign-up and create the account without filling in anything.',
      },
      {
        sentences: 'check "I agree to the terms" then tap "Create account"',
        says: 'Then agree to the terms and try again.',
      },
    ],
    ends: { at: '/welcome', submitted: [{ path: '/sign-up', fields: { ...signUp, news: 'on' } }] },
  },
  {
    name: 'search with the keyboard',
    topic: 'forms',
    turns: [
      {
        sentences: 'go to {site}/search then type "red shoes" into "Search" then press key Enter',
        says: 'Search for red shoes on {site}/search.',
        replies: [
          (site) =>
            planning([
              goTo(`${site}/search`),
              interact({ kind: 'type', placeholder: 'What do you look for?', text: 'red shoes' }),
              interact({ kind: 'press', key: 'Enter' }),
            ]),
        ],
      },
    ],
    ends: { at: '/results', shows: ['Results for red shoes'] },
  },
];
