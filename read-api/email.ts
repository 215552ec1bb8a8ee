import { emailEventTypes } from '../contracts/events/email-preferences.ts';
import { html, page, type Call } from '../infra/http/index.ts';
import type { Peppers } from '../infra/keys/index.ts';
import { readUnsubscribeToken } from '../infra/keys/unsubscribe-tokens.ts';
import type { Reader } from './engine/credentials.ts';

/** Mail programs open links too, so this page only asks. Its form is submitted to the page's own address. */
export const emailReads = (peppers: Pick<Peppers, 'inUse'>) => ({
  'email.unsubscribe-page': {
    run: async ({ query }: Call<'email.unsubscribe-page', Reader, never>) => {
      const { kind } = readUnsubscribeToken(query.token, emailEventTypes, peppers);
      return page(
        'Unsubscribe from mails of this kind?',
        html`<p>Your account will no longer get mails of the kind <code>${kind}</code>.</p>
          <form method="post"><button>Unsubscribe</button></form>`,
      );
    },
  },
});
