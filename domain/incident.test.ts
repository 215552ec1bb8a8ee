import type { IncidentEvent } from '../contracts/events/incident.ts';
import { toId } from '../contracts/ids.ts';
import { incident, type IncidentCommand } from './incident.ts';
import { commandBuilders, deciderSpec, eventBuilders } from './testing/index.ts';

const incidentId = toId('incident', '0197f1a0-0000-7000-8000-000000000001');
const at = '2026-01-05T12:00:00.000Z';
const later = (minutes: number) => new Date(Date.parse(at) + minutes * 60_000).toISOString();
const about = {
  incidentId,
  title: 'Webhooks arrive late',
  impact: 'minor' as const,
  components: ['webhooks' as const],
  message: 'We are looking into it.',
  at,
};
const update = { incidentId, status: 'investigating' as const, message: 'A disk is full.' };

const events = eventBuilders<IncidentEvent>({
  IncidentOpened: about,
  IncidentUpdated: { ...update, isMailed: true, at: later(1) },
  IncidentResolved: { incidentId, message: 'It is over.', at: later(90) },
});
const commands = commandBuilders<IncidentCommand>({
  OpenIncident: about,
  UpdateIncident: { message: update.message, progress: null, at: later(1) },
  ResolveIncident: { message: 'It is over.', at: later(90) },
});
const { given } = deciderSpec(incident);
const opened = events.IncidentOpened();
const updated = events.IncidentUpdated();

describe('an incident', () => {
  it('is opened once', () => {
    given().when(commands.OpenIncident()).then(opened);
    given(opened).when(commands.OpenIncident()).nothing();
  });

  it('takes updates until it is resolved', () => {
    given(opened).when(commands.UpdateIncident()).then(updated);
    given(opened, events.IncidentResolved()).when(commands.UpdateIncident()).refused('conflict');
    given().when(commands.UpdateIncident()).refused('not-found');
  });

  it('keeps its progress until an update changes it', () => {
    const identified = events.IncidentUpdated({ status: 'identified' });
    given(opened)
      .when(commands.UpdateIncident({ progress: 'identified' }))
      .then(identified);
    given(opened, identified)
      .when(commands.UpdateIncident({ at: later(70) }))
      .then(events.IncidentUpdated({ status: 'identified', at: later(70) }));
  });

  it('mails an update at most once an hour, counted from the last mailed one', () => {
    const after = (minutes: number, ...more: readonly IncidentEvent[]) =>
      given(opened, updated, ...more).when(commands.UpdateIncident({ at: later(minutes) }));
    const unmailed = events.IncidentUpdated({ isMailed: false, at: later(60) });
    after(60).then(unmailed);
    after(61, unmailed).then(events.IncidentUpdated({ at: later(61) }));
  });

  it('is resolved once', () => {
    given(opened).when(commands.ResolveIncident()).then(events.IncidentResolved());
    given(opened, events.IncidentResolved()).when(commands.ResolveIncident()).nothing();
    given().when(commands.ResolveIncident()).refused('not-found');
  });
});
