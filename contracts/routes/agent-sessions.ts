import * as agent from '../resources/agent-session.ts';
import * as pair from '../resources/pair-mode.ts';
import type { Route } from '../route.ts';
import { params, rows } from './agent-session-rows.ts';
import { accepted, created, ok } from './rows.ts';

const { write } = rows;

/** Agent sessions, and their control. */
export const agentSessionRoutes = [
  write('POST /v1/agent-sessions', 'agent-sessions.create', {
    summary: 'Open an agent session',
    idempotencyKey: true,
    body: agent.CreateAgentSession,
    bodyRequired: false,
    success: created(agent.AgentSession, 'The agent session.'),
    problems: ['not-found', 'forbidden', 'conflict', 'profile-in-use', 'session-destroyed'],
  }),
  write('DELETE /v1/agent-sessions/{id}', 'agent-sessions.close', {
    summary: 'Close an agent session, and end the driver session that it started; idempotent',
    params,
    success: ok(agent.AgentSession, 'The agent session, closed.'),
    problems: ['not-found', 'conflict'],
  }),
  write('POST /v1/agent-sessions/{id}/mode', 'agent-sessions.mode', {
    summary: 'Change who acts on messages',
    params,
    body: agent.ChangeMode,
    success: ok(agent.AgentSession, 'The agent session as it is now.'),
    problems: ['not-found', 'forbidden', 'conflict'],
  }),
  write('POST /v1/agent-sessions/{id}/input-event', 'agent-sessions.input-event', {
    summary: 'Report input of a person; in pair mode the first report asks for the controls',
    params,
    bucket: 'agent_sessions:input_event',
    body: pair.SendInput,
    success: ok(pair.InputTaken, 'The controls were requested.'),
    problems: [
      'not-found',
      'conflict',
      'pair-mode-conflict',
      'pair-mode-invalid-transition',
      'feature-unavailable',
    ],
  }),
  write('POST /v1/agent-sessions/{id}/takeover', 'agent-sessions.takeover', {
    summary: 'Ask for the controls',
    params,
    body: pair.TakeOver,
    success: ok(pair.PairModeChanged, 'Who has the controls.'),
    problems: ['not-found', 'conflict', 'pair-mode-conflict', 'pair-mode-invalid-transition'],
  }),
  write('POST /v1/agent-sessions/{id}/handback', 'agent-sessions.handback', {
    summary: 'Give the controls back to the agent',
    params,
    body: pair.HandBack,
    bodyRequired: false,
    success: ok(pair.PairModeChanged, 'Who has the controls.'),
    problems: ['not-found', 'conflict', 'pair-mode-conflict', 'pair-mode-invalid-transition'],
  }),
  write('POST /v1/agent-sessions/{id}/resume', 'agent-sessions.resume', {
    summary: 'Report that the challenge that paused the session is solved',
    params,
    body: agent.Resume,
    bodyRequired: false,
    success: accepted(agent.ResumeAccepted, 'The browser checks whether the challenge is gone.'),
    problems: ['not-found', 'conflict'],
  }),
] as const satisfies readonly Route[];
