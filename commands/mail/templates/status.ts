import type { SubscriberMailTemplate } from '../../../contracts/events/mail.ts';
import type { TemplatesOf } from './types.ts';

const everything = { requests: ['GET /v1/status'] } as const;

/** Mails to subscribers of the public status. */
export const statusTemplates: TemplatesOf<SubscriberMailTemplate> = {
  'status-confirm': ({ link, components, until }) => ({
    subject: 'Confirm that you want to be told of incidents',
    preheader: 'Without it, no more mails come to this address.',
    blocks: [
      'Somebody, probably you, asked that this address be told of incidents of the service.',
      { rows: [['About', components]] },
      { button: 'Confirm', link },
      `The link works until ${until}. If it was not you, do nothing: nothing more is sent.`,
    ],
  }),
  'status-subscribed': ({ components }) => ({
    subject: 'You will be told of incidents',
    preheader: 'Your subscription is confirmed.',
    blocks: [
      'Your subscription is confirmed. You get a mail when an incident begins, when there is news of it, at most once an hour, and when it is over.',
      { rows: [['About', components]] },
    ],
  }),
  'incident-posted': ({ title, impact, components, message }) => ({
    subject: `Incident: ${title}`,
    preheader: message,
    blocks: [
      message,
      {
        rows: [
          ['Incident', title],
          ['Impact', impact],
          ['Affected', components],
        ],
      },
      'How it goes on:',
      everything,
    ],
  }),
  'incident-update': ({ title, status, components, message }) => ({
    subject: `Update: ${title}`,
    preheader: message,
    blocks: [
      message,
      {
        rows: [
          ['Incident', title],
          ['State', status],
          ['Affected', components],
        ],
      },
      'The next update comes by mail after an hour at the earliest. All of them:',
      everything,
    ],
  }),
  'incident-resolved': ({ title, components, message }) => ({
    subject: `Resolved: ${title}`,
    preheader: message,
    blocks: [
      message,
      {
        rows: [
          ['Incident', title],
          ['Affected', components],
        ],
      },
    ],
  }),
};
