import type { ProxyEvent } from '../../contracts/events/proxy.ts';
import { toId } from '../../contracts/ids.ts';
import { commandBuilders, deciderSpec, eventBuilders } from '../testing/index.ts';
import { proxyNoun, type ProxyCommand } from '../proxy.ts';
import type { QuotaCommand, QuotaEvent } from './quota.ts';

const uuid = (n: number): string => `0197f1a0-0000-7000-8000-${String(n).padStart(12, '0')}`;
const accountId = toId('account', uuid(1));
const of = { id: uuid(2), accountId };
const at = '2026-01-05T12:00:00.000Z';
const later = '2026-01-05T13:00:00.000Z';
const fields = {
  label: 'home',
  scheme: 'http',
  host: 'proxy.example',
  port: 8080,
  username: null,
  sealedPassword: null,
  lastCheck: null,
} as const;
const check = { ok: true, reason: null, at: later };

const events = eventBuilders<ProxyEvent>({
  ProxyCreated: { ...of, fields, at },
  ProxyChanged: { ...of, changes: { label: 'office' }, at: later },
  ProxyChecked: { ...of, check, at: later },
  ProxyReservationLapsed: { ...of, since: at, at: later },
  ProxyDeleted: { ...of, at: later },
  ProxyWithdrawn: { ...of, at: later },
});
const commands = commandBuilders<ProxyCommand>({
  Create: { ...of, fields, at },
  Change: { changes: { label: 'office' }, reservedAt: later, at: later },
  Delete: { at: later },
  Withdraw: { ...of, at: later },
  RecordCheck: { tried: fields, check },
  LapseReservation: { since: at, at: later },
});
const { given } = deciderSpec(proxyNoun.record);

describe('a record', () => {
  it('is created once; the same command again makes no event', () => {
    given().when(commands.Create()).then(events.ProxyCreated());
    given(events.ProxyCreated()).when(commands.Create()).nothing();
  });

  it('records only what a change changes', () => {
    given(events.ProxyCreated()).when(commands.Change()).then(events.ProxyChanged());
    given(events.ProxyCreated(), events.ProxyChanged()).when(commands.Change()).nothing();
  });

  it('takes no name whose reservation has lapsed, but other changes', () => {
    const lapsed = [events.ProxyCreated(), events.ProxyReservationLapsed()];
    given(events.ProxyCreated()).when(commands.LapseReservation()).then(events.ProxyReservationLapsed());
    given(...lapsed)
      .when(commands.LapseReservation())
      .nothing();
    given(...lapsed)
      .when(commands.Change({ reservedAt: at }))
      .refused('conflict');
    given(...lapsed)
      .when(commands.Change())
      .then(events.ProxyChanged());
    given(...lapsed)
      .when(commands.Change({ changes: { port: 81 }, reservedAt: undefined }))
      .then(events.ProxyChanged({ changes: { port: 81 } }));
  });

  it('is deleted once, and then cannot be changed', () => {
    given(events.ProxyCreated()).when(commands.Delete()).then(events.ProxyDeleted());
    given(events.ProxyCreated(), events.ProxyDeleted()).when(commands.Delete()).nothing();
    given(events.ProxyCreated(), events.ProxyDeleted()).when(commands.Change()).refused('not-found');
    given().when(commands.Delete()).refused('not-found');
  });

  it('that is withdrawn before its creation is never created', () => {
    given().when(commands.Withdraw()).then(events.ProxyWithdrawn());
    given(events.ProxyWithdrawn()).when(commands.Create()).refused('conflict');
    given(events.ProxyCreated()).when(commands.Withdraw()).nothing();
  });
});

describe('a saved proxy', () => {
  it('loses the result of a check when its address changes, but not when its label does', () => {
    const changes = { host: 'other.example', lastCheck: null };
    given(events.ProxyCreated(), events.ProxyChecked())
      .when(commands.Change({ changes: { host: 'other.example' } }))
      .then(events.ProxyChanged({ changes }));
    given(events.ProxyCreated(), events.ProxyChecked()).when(commands.Change()).then(events.ProxyChanged());
  });

  const withPassword = { ...fields, username: 'ada', sealedPassword: 'sealed' };
  const elsewhere = [
    { scheme: 'socks5' },
    { host: 'other.example' },
    { port: 1080 },
    { username: null },
  ] as const;
  for (const changes of elsewhere)
    it(`drops a password that is not sent again with another ${Object.keys(changes).join()}`, () => {
      const saved = given(events.ProxyCreated({ fields: withPassword }));
      saved
        .when(commands.Change({ changes }))
        .then(events.ProxyChanged({ changes: { sealedPassword: null, ...changes } }));
      const again = { ...changes, sealedPassword: 'sealed again' };
      saved.when(commands.Change({ changes: again })).then(events.ProxyChanged({ changes: again }));
    });

  it('keeps its password if its address does not change', () => {
    const { label: _, sealedPassword: __, lastCheck: ___, ...way } = withPassword;
    given(events.ProxyCreated({ fields: withPassword }))
      .when(commands.Change({ changes: { ...way, label: 'office' } }))
      .then(events.ProxyChanged());
  });

  it('refuses the result of a check of an earlier address', () => {
    given(events.ProxyCreated()).when(commands.RecordCheck()).then(events.ProxyChecked());
    given(events.ProxyCreated(), events.ProxyChanged({ changes: { port: 3128 } }))
      .when(commands.RecordCheck())
      .refused('conflict');
    given(events.ProxyCreated(), events.ProxyDeleted()).when(commands.RecordCheck()).refused('not-found');
  });
});

describe('a quota', () => {
  const taken = { ...of, name: 'home', at };
  const { ProxyReserved, ProxyReleased } = eventBuilders<
    (QuotaEvent & { readonly type: 'ProxyReserved' }) | (QuotaEvent & { readonly type: 'ProxyReleased' })
  >({ ProxyReserved: taken, ProxyReleased: { ...taken, name: null } });
  const { Reserve, Release } = commandBuilders<QuotaCommand>({
    Reserve: { ...taken, limit: 2 },
    Release: { ...taken, name: null },
  });
  const { given: givenQuota } = deciderSpec(proxyNoun.quota);
  const another = ProxyReserved({ id: uuid(3), name: 'office' });

  it('is reserved up to the limit, once for each record', () => {
    givenQuota(another).when(Reserve()).then(ProxyReserved());
    givenQuota(another, ProxyReserved()).when(Reserve()).nothing();
    givenQuota(another, ProxyReserved())
      .when(Reserve({ id: uuid(4), name: 'third' }))
      .refused('tier-limit');
  });

  it('that is full is reported before a taken name', () => {
    const third = { id: uuid(4), name: 'office' };
    givenQuota(another, ProxyReserved()).when(Reserve(third)).refused('tier-limit');
    givenQuota(another).when(Reserve(third)).refused('conflict');
  });

  it('counts only the reservations of the account, even if others have some on the same stream', () => {
    const theirs = { accountId: toId('account', uuid(9)), name: null };
    const [one, two] = [ProxyReserved({ ...theirs, id: uuid(7) }), ProxyReserved({ ...theirs, id: uuid(8) })];
    givenQuota(one, two).when(Reserve()).then(ProxyReserved());
    givenQuota(one, two, another, ProxyReserved())
      .when(Reserve({ id: uuid(4), name: 'third' }))
      .refused('tier-limit');
    givenQuota(one, two, another)
      .when(Reserve({ ...theirs, id: uuid(4) }))
      .refused('tier-limit');
  });

  it('reserves a name for one record, whatever its case and composition', () => {
    const spellings = ['caf\u00e9', 'CAFE\u0301'];
    // A composed letter whose capital is none.
    const withoutCapital = ['\u01f0', 'J\u030c'];
    for (const [name = '', other = ''] of [spellings, withoutCapital])
      givenQuota(ProxyReserved({ name }))
        .when(Reserve({ id: uuid(3), name: other }))
        .refused('conflict');
  });

  it('lets a record reserve another name before it releases the present one', () => {
    givenQuota(another, ProxyReserved())
      .when(Reserve({ name: 'attic' }))
      .then(ProxyReserved({ name: 'attic' }));
    givenQuota(another, ProxyReserved(), ProxyReserved({ name: 'attic' }), ProxyReleased({ name: 'home' }))
      .when(Reserve({ id: uuid(3), name: 'home' }))
      .then(ProxyReserved({ id: uuid(3), name: 'home' }));
  });

  it('is reserved anew for a record that already holds it, if requested', () => {
    const renew = Reserve({ renew: true, at: later });
    givenQuota(ProxyReserved())
      .when(renew)
      .then(ProxyReserved({ at: later }));
    givenQuota(ProxyReserved(), ProxyReserved({ at: later }))
      .when(renew)
      .nothing();
  });

  it('is not released for a reservation that was renewed since', () => {
    givenQuota(ProxyReserved(), ProxyReserved({ at: later }))
      .when(Release({ madeAt: at }))
      .nothing();
    givenQuota(ProxyReserved(), ProxyReserved({ at: later }))
      .when(Release({ madeAt: later }))
      .then(ProxyReleased());
  });

  it('is free again after a release, which happens once', () => {
    givenQuota(another, ProxyReserved()).when(Release()).then(ProxyReleased());
    givenQuota(another, ProxyReserved(), ProxyReleased()).when(Release()).nothing();
    givenQuota(another, ProxyReserved(), ProxyReleased())
      .when(Reserve({ id: uuid(4) }))
      .then(ProxyReserved({ id: uuid(4) }));
  });
});
