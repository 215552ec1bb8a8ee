import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { toId } from '../ids.ts';
import { type AgentSessionEvent } from './agent-session.ts';
import { entryOf, lostTurnBody, type OpenSealed, type SealedBody } from './agent-transcript.ts';

const at = '2026-05-04T03:02:01.000Z';
const turnId = randomUUID();
const of = {
  agentSessionId: toId('agentSession', randomUUID()),
  accountId: toId('account', randomUUID()),
  at,
  turnId,
  entryIndex: 7,
};
const sealed = (field: string, content: SealedBody): string => JSON.stringify([field, content]);
const message = (body: string): string => sealed(`agent message ${turnId}`, { body });
const answer = (content: SealedBody): string => sealed(`agent answer ${turnId}`, content);
const open: OpenSealed = async (field, text) => {
  const [sealedFor, content] = JSON.parse(text) as [string, SealedBody];
  expect(sealedFor).to.equal(field);
  return JSON.stringify(content);
};
const tap = { kind: 'interact', action: { kind: 'tap', text: 'Greet' } } as const;

describe('the entry that an event adds to the transcript', () => {
  const entries: readonly (readonly [string, AgentSessionEvent, object])[] = [
    [
      'of a message in manual mode is the operator’s',
      { type: 'MessageLogged', data: { ...of, sealedMessage: message('look here') } },
      { role: 'operator', body: 'look here', at },
    ],
    [
      'of an admitted message is the user’s',
      {
        type: 'TurnAdmitted',
        data: { ...of, sealedMessage: message('greet Ada'), epoch: 1, leaseExpiresAt: at },
      },
      { role: 'user', body: 'greet Ada', at },
    ],
    [
      'of a settled turn is the agent’s, with the intents that were carried out',
      {
        type: 'TurnSettled',
        data: {
          ...of,
          kind: 'plan-executed',
          ok: true,
          limit: null,
          sealedAnswer: answer({ body: 'Greeted.', intents: [tap] }),
        },
      },
      { role: 'agent', body: 'Greeted.', at, intents: [tap] },
    ],
    [
      'of a failed turn is the agent’s',
      {
        type: 'TurnFailed',
        data: { ...of, problem: 'model-unavailable', sealedAnswer: answer({ body: 'No model.' }) },
      },
      { role: 'agent', body: 'No model.', at },
    ],
    [
      'of a superseded turn is the agent’s',
      {
        type: 'TurnSuperseded',
        data: { ...of, phase: 'executing', cause: 'takeover', sealedAnswer: answer({ body: 'Stopped.' }) },
      },
      { role: 'agent', body: 'Stopped.', at },
    ],
    [
      'of an abandoned turn says that the last step is unknown',
      { type: 'TurnAbandoned', data: { ...of, phase: 'executing' } },
      { role: 'agent', body: lostTurnBody, at },
    ],
  ];
  for (const [name, event, entry] of entries)
    it(name, async () => expect(await entryOf(event, open)).to.deep.equal({ index: 7, entry }));

  it('is null for an event without one', async () => {
    const { turnId: _, entryIndex: __, ...session } = of;
    const closed: AgentSessionEvent = {
      type: 'AgentSessionClosed',
      data: { ...session, reason: 'customer-closed', epoch: 2 },
    };
    expect(await entryOf(closed, open)).to.equal(null);
  });

  it('stays in its place once the account is erased, without its text', async () => {
    const event: AgentSessionEvent = {
      type: 'MessageLogged',
      data: { ...of, sealedMessage: message('secret') },
    };
    expect(await entryOf(event, async () => null)).to.deep.equal({
      index: 7,
      entry: { role: 'operator', body: 'erased', at },
    });
  });
});
