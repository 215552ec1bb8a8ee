import { tierName, type TemplatesOf } from './types.ts';

/** Mails about an account, its sessions and its settings. */
export const accountTemplates: TemplatesOf<
  'own-key-reminder' | 'signup-welcome' | 'session-success-first' | 'session-failed-first' | 'tier-changed'
> = {
  'own-key-reminder': ({ secret_since, secret_days }) => ({
    subject: 'Replace the model provider key that you stored',
    preheader: `It has been in use for ${secret_days} days.`,
    blocks: [
      `The model provider key of your account has been in use for ${secret_days} days. We recommend a new one every 90 days.`,
      { rows: [['In use since', secret_since]] },
      'To replace it, make a new key at your provider, and store it:',
      { requests: ['PUT /v1/account/me/byok-llm-key'] },
      'Then revoke the old key at your provider.',
    ],
  }),
  'signup-welcome': () => ({
    subject: 'Welcome',
    preheader: 'Your address is confirmed and your account is ready.',
    blocks: [
      'Your address is confirmed and your account is ready.',
      'A session is one browser that you drive over HTTP. Create your first one, send it to a page, and take a picture of what it sees:',
      {
        requests: ['POST /v1/sessions', 'POST /v1/sessions/<id>/navigate', 'POST /v1/sessions/<id>/capture'],
      },
      'We recommend that you turn on a second factor before anything else depends on your account.',
    ],
  }),
  'session-success-first': ({ session_id }) => ({
    subject: 'Your first session is complete',
    preheader: 'It ran from start to end.',
    blocks: [
      'Your first session ran from start to end.',
      { rows: [['Session', session_id]] },
      'Its record:',
      { requests: [`GET /v1/sessions/${session_id}`] },
      'To be notified when sessions end, create a webhook:',
      { requests: ['POST /v1/webhooks'] },
    ],
  }),
  'session-failed-first': ({ session_id, reason }) => ({
    subject: 'A session of yours failed',
    preheader: 'It ended with an error and can no longer be used.',
    blocks: [
      'For the first time, a session of yours ended with an error.',
      {
        rows: [
          ['Session', session_id],
          ['Error', reason],
        ],
      },
      'It can no longer be used. Its record:',
      { requests: [`GET /v1/sessions/${session_id}`] },
      'Most such errors are temporary: create the session again. If it fails again, write to us with its id.',
    ],
  }),
  'tier-changed': ({ from, to }) => ({
    subject: `Your account is now on ${tierName(to)}`,
    preheader: `It was on ${tierName(from)} before.`,
    blocks: [
      `Your account changed from ${tierName(from)} to ${tierName(to)}. The new limits hold from now on.`,
      'If you use more than a new limit allows, nothing is taken away, but nothing can be added. Your limits:',
      { requests: ['GET /v1/account/rate-limits'] },
    ],
  }),
};
