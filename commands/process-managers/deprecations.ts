import type { Logger } from 'pino';
import { deprecatedUseEvents } from '../../contracts/events/deprecated-use.ts';
import type { AccountId } from '../../contracts/ids.ts';
import { recordDeprecatedUse, queueDeprecationNotice, type DeprecationPorts } from '../deprecated-use.ts';
import type { Sweep } from './engine/host.ts';
import { reactingTo, type ProcessManager } from './engine/process-manager.ts';

/** Mails accounts about deprecations that they use. */
export const deprecationNoticesManager = (ports: DeprecationPorts): ProcessManager =>
  reactingTo('deprecation-notices', deprecatedUseEvents, {
    DeprecationUsed: (use, context) => queueDeprecationNotice(ports, use, context),
  });

interface Use {
  readonly accountId: AccountId;
  readonly deprecationId: string;
  readonly day: string;
}
export interface DeprecatedUseSweepPorts extends DeprecationPorts {
  readonly recordedUses: (limit: number) => Promise<readonly Use[]>;
  readonly forget: (use: Use) => Promise<void>;
  readonly logger: Logger;
  readonly everyMs: number;
}

/** Maximum uses per sweep; the next one takes more. */
const sweepLimit = 500;

/** Makes events of the uses recorded by the APIs. A use is removed once its event is stored. */
export const deprecatedUseSweep = ({ everyMs, ...ports }: DeprecatedUseSweepPorts): Sweep => ({
  name: 'deprecated uses',
  everyMs,
  run: async () => {
    for (const use of await ports.recordedUses(sweepLimit)) await recordOnce(ports, use);
  },
});

/** A failed use is retried by the next sweep. */
async function recordOnce(ports: Omit<DeprecatedUseSweepPorts, 'everyMs'>, use: Use): Promise<void> {
  try {
    await recordDeprecatedUse(ports, use);
    await ports.forget(use);
  } catch (error) {
    const { accountId, deprecationId, day } = use;
    ports.logger.warn(
      { err: error, account_id: accountId, deprecation: deprecationId, day },
      'The use of a deprecated entry was not recorded.',
    );
  }
}
