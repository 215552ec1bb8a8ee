import type { SubscriberCommands } from '../../commands/status/subscribers.ts';
import { statusComponents } from '../../contracts/status.ts';
import { html, page, type Markup, type RequestFacts } from '../../infra/http/index.ts';
import { accepted } from '../engine/accepted.ts';
import { contextOf } from '../engine/authentication.ts';
import type { Handling, HandlersOf } from '../engine/handling.ts';

type Routes =
  | 'status.subscribe'
  | `status.${'confirm' | 'unsubscribe'}`
  | `status.${'confirm' | 'unsubscribe'}-page`;

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
      return asking('Subscribe to incidents?', 'Mails are sent once you confirm.', 'Subscribe');
    }),
    'status.confirm': answeringAnyone(async ({ query, request }) => {
      const components = await subscribers.confirm(query.token, contextOf(request, anonymous));
      return forReader(request, { status: 'confirmed', components }, () =>
        page(
          'Confirmed',
          html`<p>You will get mails about incidents of:</p>
            ${listOf(components)}`,
        ),
      );
    }),
    'status.unsubscribe-page': answeringAnyone(async ({ query: { token } }) => {
      await subscribers.check({ page: 'unsubscribe', token });
      return asking('Unsubscribe from incidents?', 'Your address is deleted.', 'Unsubscribe');
    }),
    'status.unsubscribe': answeringAnyone(async ({ query, request }) => {
      await subscribers.end(query.token, contextOf(request, anonymous));
      return forReader(request, { status: 'unsubscribed' }, () =>
        page('Unsubscribed', html`<p>Your address gets no more mails about incidents, and is deleted.</p>`),
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
