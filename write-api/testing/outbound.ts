import type { WritePorts } from '../../infra/main/composition/write-ports.ts';
import type { AllowedRange } from '../../infra/outbound/address-policy.ts';
import { createOutboundGuard } from '../../infra/outbound/guard.ts';
import type { Lookup } from '../../infra/outbound/lookup.ts';
import { createWebhookTarget } from '../../infra/webhooks/target.ts';

/**
 * Stand-ins for the outside world. By default every request passes a proxy, a model provider accepts every key, and calling a
 * model fails.
 */
export interface OutboundOptions extends Partial<Pick<WritePorts, 'probe' | 'tryKey' | 'model'>> {
  /** Ranges of addresses that are allowed although they are not public. */
  readonly allow?: readonly AllowedRange[];
  /** Resolves hosts of webhooks; by default every name has the same public address. */
  readonly lookup?: Lookup;
}

const publicly: Lookup = () => Promise.resolve(['93.184.215.14']);

const noModel: WritePorts['model'] = {
  decompose: () => Promise.reject(new Error('This test has no model.')),
  readBack: () => Promise.reject(new Error('This test has no model.')),
  fillIn: () => Promise.reject(new Error('This test has no model.')),
};

export const outboundOf = ({
  lookup = publicly,
  allow = [],
  probe = () => Promise.resolve(null),
  tryKey = () => Promise.resolve(null),
  model = noModel,
}: OutboundOptions): Pick<WritePorts, 'target' | 'addresses' | 'probe' | 'tryKey' | 'model'> => ({
  target: createWebhookTarget({ lookup }),
  addresses: createOutboundGuard({ allow }),
  ...{ probe, tryKey, model },
});
