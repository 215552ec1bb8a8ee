import { randomUUID } from 'node:crypto';
import { nodeEvents, type NodeEvent } from '../../contracts/events/node.ts';
import type { NodeId } from '../../contracts/ids.ts';
import { refuse } from '../../contracts/problems.ts';
import type { Decider } from '../../domain/kit/decider.ts';
import type { CommandContext } from './context.ts';

const nodeId: NodeId = 'nod_0197f1a0-0000-7000-8000-000000000003';
export const at = '2026-01-05T12:00:00.000Z';

export interface Toggled {
  readonly drained: boolean;
  readonly changes: number;
}
export type NodeCommand = 'drain' | 'undrain' | 'toggle' | 'break';

export const drained: NodeEvent = { type: 'NodeDrained', data: { nodeId, at } };
export const undrained: NodeEvent = { type: 'NodeUndrained', data: { nodeId, at } };

/** A rule with a refusal (drain twice), an empty decision (undrain twice), a race (toggle) and a bug (break). */
export const node: Decider<Toggled, NodeCommand, NodeEvent> = {
  category: nodeEvents,
  initialState: { drained: false, changes: 0 },
  decide: (command, state) => {
    switch (command) {
      case 'drain':
        if (state.drained) throw refuse('conflict', 'The node drains already.');
        return [drained];
      case 'undrain':
        return state.drained ? [undrained] : [];
      case 'toggle':
        return [state.drained ? undrained : drained];
      case 'break':
        return [drained, { type: 'NodeDrained', data: { nodeId, at: 'yesterday' } }];
    }
  },
  evolve: ({ changes }, { type }) => ({ drained: type === 'NodeDrained', changes: changes + 1 }),
};

export const context = (commandId: string = randomUUID()): CommandContext => ({
  commandId,
  correlationId: 'correlation',
  causationId: 'causation',
  by: 'request:test',
  actor: { kind: 'staff', account_id: null },
  requestId: 'req_1',
  ip: '192.0.2.7',
});
