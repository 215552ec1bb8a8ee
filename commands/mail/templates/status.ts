import type { SubscriberMailTemplate } from '../../../contracts/events/mail.ts';
import { shortened, type Lines, type TemplatesOf } from './types.ts';

/** What mail programs have room for beside the subject. */
const beginningOf = ([first]: Lines): string => shortened(first, 150);

const everything = { requests: ['GET /v1/status'] } as const;

/** Mails to subscribers of the public status. */
export const statusTemplates: TemplatesOf<SubscriberMailTemplate> = {
  'status-confirm': ({ link, components, until }) => ({
    subject: 'Confirm your subscription to incidents',
    preheader: 'Without your confirmation, no more mails are sent to this address.',
    blocks: [
      'Somebody, most likely you, asked to subscribe this address to incidents of the service.',
      { rows: [['About', components]] },
      { button: 'Confirm', link },
      `The link works until ${until}. If it was not you, ignore this mail: nothing more is sent.`,
    ],
  }),
  'status-subscribed': ({ components }) => ({
    subject: 'You are subscribed to incidents',
    preheader: 'Your subscription is confirmed.',
    blocks: [
      'Your subscription is confirmed. You get a mail when an incident begins, when it is updated (at most once an hour), and when it is resolved.',
      { rows: [['About', components]] },
    ],
  }),
  'incident-posted': ({ title, impact, components, message }) => ({
    subject: `Incident: ${title}`,
    preheader: beginningOf(message),
    blocks: [
      ...message,
      {
        rows: [
          ['Incident', title],
          ['Impact', impact],
          ['Affected', components],
        ],
      },
      'Current status:',
      everything,
    ],
  }),
  'incident-update': ({ title, status, components, message }) => ({
    subject: `Update: ${title}`,
    preheader: beginningOf(message),
    blocks: [
      ...message,
      {
        rows: [
          ['Incident', title],
          ['State', status],
          ['Affected', components],
        ],
      },
      'The next update is mailed after an hour at the earliest. All updates:',
      everything,
    ],
  }),
  'incident-resolved': ({ title, components, message }) => ({
    subject: `Resolved: ${title}`,
    preheader: beginningOf(message),
    blocks: [
      ...message,
      {
        rows: [
          ['Incident', title],
          ['Affected', components],
        ],
      },
    ],
  }),
};
