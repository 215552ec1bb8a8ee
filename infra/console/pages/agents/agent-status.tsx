import type { AgentSession } from '../../../../contracts/client/index.ts';
import { Status, type Tone } from '../../parts/record.tsx';
import { filled } from '../../strings.ts';
import { words } from './strings.ts';

const tones: Readonly<Record<AgentSession['status'], Tone>> = {
  active: 'good',
  paused: 'wait',
  closed: 'over',
};

export const AgentStatus = ({ status }: Pick<AgentSession, 'status'>) => (
  <Status tone={tones[status]} word={words.statuses[status]} />
);

type Budget = Pick<AgentSession, 'token_budget_total' | 'token_budget_remaining'>;

/** Used and total tokens of an agent session. */
export const tokensOf = ({ token_budget_total: total, token_budget_remaining: left }: Budget): string =>
  filled(words.tokensUsed, { used: (total - left).toLocaleString(), total: total.toLocaleString() });
