import type { MailTemplate } from '../../contracts/events/mail.ts';
import type { MailFacts } from '../../domain/mail.ts';

/** Everything a text may name. */
export type FactName =
  'webhook_id' | 'host' | 'failures' | 'disabled_after' | 'secret_since' | 'secret_days' | 'grace_ends_at';

export interface MailText {
  readonly subject: string;
  readonly text: string;
}

type Template = (facts: Readonly<Record<FactName, string>>) => MailText;

/** Lines of 76 characters at most travel as they are. */
const templates: Readonly<Record<MailTemplate, Template>> = {
  'webhook-failing': ({ webhook_id, host, failures, disabled_after }) => ({
    subject: `Your webhook endpoint at ${host} is failing`,
    text: `The last ${failures} attempts to deliver an event to your webhook endpoint
failed.

  endpoint  ${webhook_id}
  host      ${host}

After ${disabled_after} failed attempts in a row the endpoint is disabled for good, and
the deliveries that wait for it are cancelled. One attempt that succeeds
sets the count back to 0.

Every attempt, with what it came to:
  GET /v1/webhooks/${webhook_id}/deliveries
`,
  }),
  'webhook-disabled': ({ webhook_id, host, failures }) => ({
    subject: `Your webhook endpoint at ${host} is disabled`,
    text: `${failures} attempts in a row to deliver an event to your webhook endpoint
failed. It is disabled for good, and the deliveries that waited for it are
cancelled.

  endpoint  ${webhook_id}
  host      ${host}

Every attempt, with what it came to:
  GET /v1/webhooks/${webhook_id}/deliveries

To receive events again, create a new endpoint (POST /v1/webhooks). What
was missed can be sent to it:
  POST /v1/webhooks/<the new id>/replay
`,
  }),
  'webhook-secret-reminder': ({ webhook_id, host, secret_since, secret_days }) => ({
    subject: `Rotate the signing secret of your webhook endpoint at ${host}`,
    text: `The signing secret of your webhook endpoint has been in use for ${secret_days}
days. We recommend a new one every 90 days.

  endpoint  ${webhook_id}
  host      ${host}
  in use    since ${secret_since}

To rotate it:
  POST /v1/webhooks/${webhook_id}/rotate-secret

The old secret goes on signing beside the new one for a while, so that no
delivery fails its check meanwhile.
`,
  }),
  'webhook-grace-ending': ({ webhook_id, host, grace_ends_at }) => ({
    subject: `The old signing secret of your webhook endpoint at ${host} ends soon`,
    text: `You rotated the signing secret of your webhook endpoint. The old secret
stops signing at ${grace_ends_at}; from then on only the new one
does.

  endpoint  ${webhook_id}
  host      ${host}

Make sure that your receiver checks signatures with the new secret by then.
`,
  }),
  'own-key-reminder': ({ secret_since, secret_days }) => ({
    subject: 'Replace the model-provider key that you stored',
    text: `The model-provider key of your account has been in use for ${secret_days} days.
We recommend a new one every 90 days.

  in use    since ${secret_since}

To replace it, make a new key at your provider, and store it:
  PUT /v1/account/me/byok-llm-key

Then revoke the old key at your provider.
`,
  }),
};

/** A fact that is missing reads as `(unknown)`: a mail with a gap tells its reader more than none. */
export function mailText(template: MailTemplate, facts: MailFacts): MailText {
  const fact = (name: FactName): string => String(facts[name] ?? '(unknown)');
  return templates[template]({
    webhook_id: fact('webhook_id'),
    host: fact('host'),
    failures: fact('failures'),
    disabled_after: fact('disabled_after'),
    secret_since: fact('secret_since'),
    secret_days: fact('secret_days'),
    grace_ends_at: fact('grace_ends_at'),
  });
}
