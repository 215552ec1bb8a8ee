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
        'No more mails of this kind?',
        html`<p>Your account will not get mails of the kind <code>${kind}</code> any more.</p>
          <form method="post"><button>No more of these</button></form>`,
      );
    },
  },
});
