import { randomUUID } from 'node:crypto';
import { Option } from 'commander';
import { toId, uuidOf, type IncidentId } from '../../../contracts/ids.ts';
import {
  incidentImpacts,
  longestIncidentMessage,
  longestIncidentTitle,
  openIncidentStatuses,
  statusComponentIds,
  type IncidentImpact,
  type OpenIncidentStatus,
  type StatusComponent,
} from '../../../contracts/status.ts';
import { incident, type IncidentCommand } from '../../../domain/incident.ts';
import { systemClock as clock } from '../../platform/clock.ts';
import type { ServiceCommand } from './command.ts';
import type { Operator } from './operator.ts';
import type { Answer } from './output.ts';
import { idOf, shownText } from './parse.ts';

const message = shownText(longestIncidentMessage);

/** `service incident …` */
export function incidentCommands(program: ServiceCommand): void {
  const incidents = program
    .command('incident')
    .description('incidents on the public status page; subscribers are notified by mail');
  incidents
    .command('open')
    .description('publish a new incident')
    .requiredOption('--title <title>', 'a short title', shownText(longestIncidentTitle))
    .addOption(
      new Option('--impact <impact>', 'how severe it is').choices(incidentImpacts).makeOptionMandatory(),
    )
    .addOption(
      new Option('--component <components...>', 'affected component; may be given several times')
        .choices(statusComponentIds)
        .makeOptionMandatory(),
    )
    .requiredOption('--message <message>', 'what is known', message)
    .operates('object', open);
  incidents
    .command('update')
    .description('publish an update; it is mailed at most once an hour')
    .argument('<incident>', 'inc_<uuid>', idOf('incident'))
    .requiredOption('--message <message>', 'what is known now', message)
    .addOption(new Option('--status <status>', 'how far the investigation is').choices(openIncidentStatuses))
    .operates('object', (operator, id: IncidentId, { message: said, status }: Update) =>
      run(operator, id, { type: 'UpdateIncident', message: said, progress: status ?? null, at: now() }),
    );
  incidents
    .command('resolve')
    .description('publish the end of an incident')
    .argument('<incident>', 'inc_<uuid>', idOf('incident'))
    .requiredOption('--message <message>', 'what happened', message)
    .operates('object', (operator, id: IncidentId, { message: said }: Pick<Update, 'message'>) =>
      run(operator, id, { type: 'ResolveIncident', message: said, at: now() }),
    );
}

interface Update {
  readonly message: string;
  readonly status?: OpenIncidentStatus;
}

interface Opening {
  readonly title: string;
  readonly impact: IncidentImpact;
  readonly component: readonly StatusComponent[];
  readonly message: string;
}

const now = (): string => clock.now().toISOString();

function open(operator: Operator, { title, impact, component, message: said }: Opening): Promise<Answer> {
  const incidentId = toId('incident', randomUUID());
  const components = [...new Set(component)];
  const about = { incidentId, title, impact, components, message: said };
  return run(operator, incidentId, { type: 'OpenIncident', ...about, at: now() });
}

async function run({ runner, context }: Operator, id: IncidentId, command: IncidentCommand): Promise<Answer> {
  const { state } = await runner.run(incident, uuidOf(id), command, context);
  const status = state.status === 'open' ? state.progress : state.status;
  return { value: { id, status }, lines: [`${id} is ${status}.`] };
}
