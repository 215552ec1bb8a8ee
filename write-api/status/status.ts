import type { SubscriberCommands } from '../../commands/status/subscribers.ts';
import { statusComponents } from '../../contracts/status.ts';
import { html, page, type Markup, type RequestFacts } from '../../infra/http/index.ts';
import { accepted } from '../engine/accepted.ts';
import { contextOf } from '../engine/authentication.ts';
import type { Handling, HandlersOf } from '../engine/handling.ts';

type Routes =
  'status.subscribe' | `status.${'confirm' | 'unsubscribe'}` | `status.${'confirm' | 'unsubscribe'}-page`;

const anonymous = { kind: 'user', account_id: null } as const;

/** Subscriptions to incidents by mail. The links in mails need no sign-in. */
export function statusHandlers(
  subscribers: SubscriberCommands,
  { answeringAnyone }: Handling,
): HandlersOf<Routes> {
  return {
    'status.subscribe': answeringAnyone(({ body, request }) =>
      accepted(subscribers.request(body, contextOf(request, anonymous))),
    ),
    'status.confirm-page': answeringAnyone(async ({ query: { token } }) => {
      await subscribers.check({ page: 'confirm', token });
      return asking('Mails about incidents?', 'They are sent once you have confirmed it.', 'Send them');
    }),
    'status.confirm': answeringAnyone(async ({ query, request }) => {
      const components = await subscribers.confirm(query.token, contextOf(request, anonymous));
      return forReader(request, { status: 'confirmed', components }, () =>
        page(
          'Confirmed',
          html`<p>You will get a mail about incidents of:</p>
            ${listOf(components)}`,
        ),
      );
    }),
    'status.unsubscribe-page': answeringAnyone(async ({ query: { token } }) => {
      await subscribers.check({ page: 'unsubscribe', token });
      return asking('No more mails about incidents?', 'Your address is not kept then.', 'No more mails');
    }),
    'status.unsubscribe': answeringAnyone(async ({ query, request }) => {
      await subscribers.end(query.token, contextOf(request, anonymous));
      return forReader(request, { status: 'unsubscribed' }, () =>
        page(
          'Unsubscribed',
          html`<p>No more mails about incidents are sent to your address, and it is not kept.</p>`,
        ),
      );
    }),
  };
}

/** The form is submitted to the page's own address. */
const asking = (title: string, text: string, button: string) =>
  page(
    title,
    html`<p>${text}</p>
      <form method="post"><button>${button}</button></form>`,
  );

const listOf = (components: readonly (keyof typeof statusComponents)[]): Markup =>
  html`<ul>
    ${components.map((id) => html`<li>${statusComponents[id]}</li>`)}
  </ul>`;

/** HTML if `Accept` includes it, as for browsers; JSON otherwise. */
const forReader = <Page>({ header }: RequestFacts, body: object, asPage: () => Page) =>
  (header('accept') ?? '').includes('text/html') ? asPage() : { body };
