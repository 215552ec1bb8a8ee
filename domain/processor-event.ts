import { processorEventEvents, type ProcessorEvent } from '../contracts/events/processor-event.ts';
import { decideBy, type CommandsOf, type DataOf, type Decider, type Rules } from './kit/decider.ts';

type Facts<Type extends ProcessorEvent['type']> = Omit<DataOf<ProcessorEvent, Type>, 'at'>;

/** A processor's callback, recorded once however often it is received. */
export type ProcessorEventState = { readonly status: 'none' | 'kept' };

export type ProcessorEventCommand = CommandsOf<{
  KeepCardEvent: Facts<'CardEventReceived'>;
  KeepCryptoEvent: Facts<'CryptoEventReceived'>;
}>;

const rules: Rules<ProcessorEventState, ProcessorEventCommand, ProcessorEvent> = {
  KeepCardEvent: ({ status }, { type: _, ...data }) =>
    status === 'kept' ? [] : [{ type: 'CardEventReceived', data }],
  KeepCryptoEvent: ({ status }, { type: _, ...data }) =>
    status === 'kept' ? [] : [{ type: 'CryptoEventReceived', data }],
};

export const processorEvent: Decider<ProcessorEventState, ProcessorEventCommand, ProcessorEvent> = {
  category: processorEventEvents,
  initialState: { status: 'none' },
  decide: decideBy(rules),
  evolve: () => ({ status: 'kept' }),
};
