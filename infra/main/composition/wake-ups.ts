import { need } from '../../config/index.ts';
import { createWakeUps } from '../../queue/index.ts';
import type { WakeUps } from '../../queue/types.ts';
import type { RoleContext } from '../roles/role.ts';

export function openWakeUps({ config, clock, logger, lifetime }: RoleContext): WakeUps {
  const wakeUps = createWakeUps({ url: need(config, 'QUEUE_URL'), clock, logger });
  lifetime.defer('wake-ups', () => wakeUps.close());
  return wakeUps;
}
