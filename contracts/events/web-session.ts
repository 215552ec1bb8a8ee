import { Type, Timestamp, closed, nullable, oneOf } from '../schema.ts';
import { idSchema } from '../ids.ts';
import { scopes } from './api-key.ts';
import { category, entryOn, type EventOf } from './catalogue.ts';

const of = { webSessionId: idSchema('webSession'), accountId: idSchema('account'), at: Timestamp };
const entry = entryOn('web_session');

/** The holder of the tokens: an HMAC of address and user agent, which reveals neither. */
const holder = Type.String();
const refreshUntil = Timestamp;

/**
 * `web_session-<uuid>`: one sign-in of a person's browser, or of an authorised device, with all its tokens. Contains no tokens: a
 * refresh token derives from its generation and the sealed seed.
 */
export const webSessionEvents = category(
  'web_session',
  {
    WebSessionOpened: closed({
      ...of,
      kind: oneOf(['web_session', 'device']),
      scopes: Type.Array(oneOf(scopes)),
      /** Login epoch of the account: the session has ended once it is higher. */
      epoch: Type.Integer({ minimum: 0 }),
      /** Refresh tokens derive from it. */
      sealedSeed: Type.String(),
      holder,
      refreshUntil,
      /** When a second factor was last given. */
      confirmedAt: nullable(Timestamp),
    }),
    /** The previous generation's refresh token was used; this generation has a new one. */
    WebSessionRefreshed: closed({
      ...of,
      generation: Type.Integer({ minimum: 1 }),
      holder,
      refreshUntil,
    }),
    WebSessionConfirmed: closed(of),
    WebSessionEnded: closed({ ...of, reason: oneOf(['signed_out', 'token_reused']) }),
  },
  {
    audit: {
      WebSessionOpened: ({ webSessionId, kind }) => entry('auth.signed_in', webSessionId, { kind }),
      WebSessionConfirmed: ({ webSessionId }) => entry('auth.stepped_up', webSessionId),
      WebSessionEnded: ({ webSessionId, reason }) =>
        entry(reason === 'token_reused' ? 'auth.refresh_token_reused' : 'auth.signed_out', webSessionId),
    },
  },
);
export type WebSessionEvent = EventOf<typeof webSessionEvents>;
