import {
  listParkedReactions,
  retryParkedReactions,
} from '../../../commands/process-managers/engine/parked-reactions.ts';
import type { ServiceCommand } from './command.ts';
import type { Operator } from './operator.ts';
import { listAnswer, type Answer } from './output.ts';

/** `service reactions …` */
export function reactionCommands(program: ServiceCommand): void {
  const group = program
    .command('reactions')
    .description('look after what follows from events, by process managers');
  group
    .command('parked')
    .description('what should have followed and failed each time, with the reason')
    .operates('array', parked);
  group
    .command('retry')
    .description('have parked reactions tried now; by themselves they are tried every minute')
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
  const more = untried === 0 ? '' : `, ${untried} not tried yet: no process host works, or it is busy`;
  return {
    value,
    lines: [`${done} took effect, ${left} still parked${more}`],
    failed: left + untried > 0,
  };
}
