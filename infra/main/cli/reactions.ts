import {
  listParkedReactions,
  retryParkedReactions,
} from '../../../commands/process-managers/engine/parked-reactions.ts';
import type { ServiceCommand } from './command.ts';
import type { Operator } from './operator.ts';
import { listAnswer, type Answer } from './output.ts';

/** `service reactions …` */
export function reactionCommands(program: ServiceCommand): void {
  const group = program.command('reactions').description('reactions of process managers to events');
  group
    .command('parked')
    .description('list the reactions that were given up after repeated failures, with the reason')
    .operates('array', parked);
  group
    .command('retry')
    .description('retry parked reactions now; they are also retried automatically every minute')
    .operates('object', retry);
}

const parked = async ({ pool }: Operator): Promise<Answer> =>
  listAnswer(await listParkedReactions(pool), 'Nothing is parked.', {
    ...{ process: 'process', event: 'event_type', stream: 'stream' },
    ...{ tries: 'attempts', reason: 'reason' },
  });

async function retry({ pool }: Operator): Promise<Answer> {
  const value = await retryParkedReactions(pool);
  const { took_effect: done, still_parked: left, not_tried: untried } = value;
  const more = untried === 0 ? '' : `, ${untried} not tried yet: no process host is running, or it is busy`;
  return {
    value,
    lines: [`${done} took effect, ${left} still parked${more}`],
    failed: left + untried > 0,
  };
}
