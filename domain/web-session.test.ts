import fc from 'fast-check';
import type { Scope } from '../contracts/events/api-key.ts';
import type { WebSessionEvent } from '../contracts/events/web-session.ts';
import { toId } from '../contracts/ids.ts';
import { idOf, laterTime, time } from './testing/arbitraries.ts';
import { describeDecider } from './testing/decider-properties.ts';
import { commandBuilders, deciderSpec, eventBuilders } from './testing/index.ts';
import { webSession, type WebSessionCommand } from './web-session.ts';

const uuid = (n: number): string => `0197f1a0-0000-7000-8000-${String(n).padStart(12, '0')}`;
const of = { webSessionId: toId('webSession', uuid(1)), accountId: toId('account', uuid(2)) };
const at = '2026-01-05T12:00:00.000Z';
const after = (ms: number): string => new Date(Date.parse(at) + ms).toISOString();
const refreshUntil = '2026-02-04T12:00:00.000Z';
const opened = {
  ...of,
  ...{ kind: 'web_session' as const, scopes: ['read' as const], epoch: 0, sealedSeed: 'seed', holder: 'her' },
  ...{ refreshUntil, confirmedAt: null },
};

const events = eventBuilders<WebSessionEvent>({
  WebSessionOpened: { ...opened, at },
  WebSessionRefreshed: { ...of, generation: 1, holder: 'her', refreshUntil, at },
  WebSessionConfirmed: { ...of, at },
  WebSessionEnded: { ...of, reason: 'token_reused', at },
});
const commands = commandBuilders<WebSessionCommand>({
  OpenWebSession: { ...opened, at },
  RefreshWebSession: { generation: 0, holders: ['her'], refreshUntil, at },
  ConfirmWebSession: { at },
  EndWebSession: { reason: 'signed_out', at },
});
const { given } = deciderSpec(webSession);
const { WebSessionOpened, WebSessionRefreshed, WebSessionEnded, WebSessionConfirmed } = events;

describe('a web session', () => {
  it('is opened once', () => {
    given().when(commands.OpenWebSession()).then(WebSessionOpened());
    given(WebSessionOpened()).when(commands.OpenWebSession()).nothing();
  });

  it('gives each generation of its refresh token once', () => {
    given(WebSessionOpened()).when(commands.RefreshWebSession()).then(WebSessionRefreshed());
    given(WebSessionOpened(), WebSessionRefreshed())
      .when(commands.RefreshWebSession({ generation: 1 }))
      .then(WebSessionRefreshed({ generation: 2 }));
  });

  it('gives the same successor to the holder who lost the answer, for ten seconds', () => {
    const refreshed = [WebSessionOpened(), WebSessionRefreshed()];
    given(...refreshed)
      .when(commands.RefreshWebSession({ at: after(9_999) }))
      .nothing();
    given(...refreshed)
      .when(commands.RefreshWebSession({ at: after(10_000) }))
      .then(WebSessionEnded({ at: after(10_000) }));
  });

  it('recognises its holder by each pepper', () => {
    const refreshed = [WebSessionOpened(), WebSessionRefreshed()];
    given(...refreshed)
      .when(commands.RefreshWebSession({ holders: ['her, newly keyed', 'her'] }))
      .nothing();
    given(WebSessionOpened())
      .when(commands.RefreshWebSession({ holders: ['her, newly keyed', 'her'] }))
      .then(WebSessionRefreshed({ holder: 'her, newly keyed' }));
  });

  it('ends when a used token comes from another holder, or when an even older one comes', () => {
    given(WebSessionOpened(), WebSessionRefreshed())
      .when(commands.RefreshWebSession({ holders: ['him'] }))
      .then(WebSessionEnded());
    given(WebSessionOpened(), WebSessionRefreshed(), WebSessionRefreshed({ generation: 2 }))
      .when(commands.RefreshWebSession())
      .then(WebSessionEnded());
  });

  it('that was not refreshed in time, or that has ended, issues no token', () => {
    given(WebSessionOpened())
      .when(commands.RefreshWebSession({ at: refreshUntil }))
      .refused('invalid-auth-token');
    given(WebSessionOpened(), WebSessionEnded())
      .when(commands.RefreshWebSession())
      .refused('invalid-auth-token');
    given().when(commands.RefreshWebSession()).refused('invalid-auth-token');
  });

  it('is confirmed by a second factor while it is open', () => {
    given(WebSessionOpened()).when(commands.ConfirmWebSession()).then(WebSessionConfirmed());
    given(WebSessionOpened(), WebSessionEnded()).when(commands.ConfirmWebSession()).refused('unauthorized');
  });

  it('ends once', () => {
    given(WebSessionOpened())
      .when(commands.EndWebSession())
      .then(WebSessionEnded({ reason: 'signed_out' }));
    given(WebSessionOpened(), WebSessionEnded()).when(commands.EndWebSession()).nothing();
    given().when(commands.EndWebSession()).nothing();
  });
});

const named = <Type extends string>(type: Type) => ({ type: fc.constant(type), at: time });
const holder = fc.constantFrom('her', 'him');

describeDecider('a web session under any sequence of commands', {
  decider: webSession,
  command: fc.oneof(
    fc.record({
      ...named('OpenWebSession'),
      ...{ webSessionId: idOf('webSession', 1), accountId: idOf('account', 1) },
      kind: fc.constantFrom('web_session' as const, 'device' as const),
      scopes: fc.constant<Scope[]>(['read']),
      epoch: fc.nat(3),
      sealedSeed: fc.constant('seed'),
      ...{ holder, refreshUntil: laterTime, confirmedAt: fc.option(time) },
    }),
    fc.record({
      ...named('RefreshWebSession'),
      generation: fc.nat(3),
      holders: fc.tuple(holder),
      refreshUntil: laterTime,
    }),
    fc.record(named('ConfirmWebSession')),
    fc.record({ ...named('EndWebSession'), reason: fc.constant('signed_out' as const) }),
  ),
  statusOf: ({ status }) => status,
  transitions: [
    ['none', 'WebSessionOpened', 'open'],
    ['open', 'WebSessionRefreshed', 'open'],
    ['open', 'WebSessionConfirmed', 'open'],
    ['open', 'WebSessionEnded', 'ended'],
  ],
});
