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
  /** In a fixed order, starting behind `after`. */
  readonly recordedUses: (limit: number, after?: Use) => Promise<readonly Use[]>;
  readonly forget: (use: Use) => Promise<void>;
  readonly logger: Logger;
  readonly everyMs: number;
}

/** Maximum uses per sweep; the next one takes more. */
const sweepLimit = 500;

/**
 * Makes events of the uses recorded by the APIs. A use is removed once its event is stored. Each sweep takes the next page, and
 * starts over at the end: uses that cannot be recorded do not hold back the others.
 */
export function deprecatedUseSweep({ everyMs, ...ports }: DeprecatedUseSweepPorts): Sweep {
  let past: Use | undefined;
  return {
    name: 'deprecated uses',
    everyMs,
    run: async (signal) => {
      const uses = await ports.recordedUses(sweepLimit, past);
      for (const use of uses) {
        if (signal.aborted) return;
        await recordOnce(ports, use);
      }
      past = uses.length === sweepLimit ? uses.at(-1) : undefined;
    },
  };
}

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
