const at = '2026-01-31T09:30:00.000Z';
const account = '0198f0a1-1111-7abc-8def-0123456789ab';

const agentSession = {
  id: 'agt_0198f0a8-7777-7abc-8def-0123456789ab',
  account_id: account,
  service_session_id: 'ses_0198f0a2-6c1e-7c43-9d0b-4f3a2b1c0d9e',
  status: 'active',
  closed_reason: null,
  closed_at: null,
  token_budget_total: 100_000,
  token_budget_remaining: 97_320,
  transcript_length: 2,
  created_by_user_id: account,
  mode: 'ai',
  model: 'claude-fable-5-2',
  pair_mode_state: null,
  created_at: at,
  updated_at: '2026-01-31T09:30:02.000Z',
  error_event: null,
};

const typed = {
  kind: 'interact',
  action: { kind: 'type', label: 'Name', variable: 'name', sensitive: true },
};
const tap = { kind: 'interact', action: { kind: 'tap', text: 'Greet' } };

const entries = [
  { index: 0, entry: { role: 'user', body: 'tap "Greet"', at } },
  {
    index: 1,
    entry: {
      role: 'agent',
      body: 'Tapped "Greet".',
      at: '2026-01-31T09:30:02.000Z',
      intents: [tap],
    },
  },
];

/** Examples of the routes of agent sessions, by route id. */
export const agentExamples = {
  'agent-sessions.list': { response: { data: [agentSession], has_more: false, next_cursor: '' } },
  'agent-sessions.get': { response: agentSession },
  'agent-sessions.message': {
    request: {
      user_message: 'type variable "name" into "Name", then tap "Greet"',
      variables: { name: { value: 'Ada Lovelace' } },
    },
    response: {
      kind: 'plan-executed',
      session: agentSession,
      intents: [typed, tap],
      results: [
        { kind: 'success', intent: typed, summary: 'Typed into "Name".' },
        { kind: 'success', intent: tap, summary: 'Tapped "Greet".' },
      ],
      ok: true,
      usage: { decomposer_kind: 'deterministic' },
      rounds: 1,
    },
  },
  'agent-sessions.transcript': { response: { data: entries, has_more: false, next_cursor: '' } },
};
