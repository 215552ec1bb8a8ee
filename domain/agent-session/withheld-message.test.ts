import { deciderSpec } from '../testing/index.ts';
import { agentSession } from './agent-session.ts';
import { commands, events, leaseExpiresAt } from './testing.ts';

const { given } = deciderSpec(agentSession);

const created = events.AgentSessionCreated();
const withheld = events.TurnAdmitted({ entryIndex: null, sealedMessage: null });
const admitted = [created, withheld] as const;
const sealedMessage = 'sealed without secrets';
const recorded = events.MessageRecorded({ sealedMessage });

describe('a message that is decided by a model', () => {
  it('is not in the transcript when it is admitted', () => {
    given(created)
      .when(commands.AdmitMessage({ asksModel: true }))
      .then(withheld);
  });

  it('is in it at once if no model will be called: in manual mode, and with no budget left', () => {
    given(created, events.ModeChanged())
      .when(commands.AdmitMessage({ asksModel: true }))
      .then(events.MessageLogged());
    const small = events.AgentSessionCreated({ tokenBudget: 100 });
    given(small, events.TurnAdmitted(), events.TurnDecomposed(), events.TurnSettled())
      .when(commands.AdmitMessage({ asksModel: true, turnId: '0197f1a0-0000-7000-8000-000000000099' }))
      .leaves((state) => {
        if (state.status !== 'closed' || state.entries !== 4) throw new Error(JSON.stringify(state));
      });
  });

  it('enters it with the decision of the model', () => {
    given(...admitted)
      .when(commands.RecordDecomposition({ sealedMessage }))
      .then(recorded, events.TurnDecomposed());
  });

  it('enters it before the entry of a turn that fails, or is superseded by a change of control', () => {
    given(...admitted)
      .when(commands.FailTurn({ sealedMessage }))
      .then(recorded, events.TurnFailed());
    given(...admitted, events.ModeChanged())
      .when(commands.ContinueTurn({ sealedMessage }))
      .then(recorded, events.TurnSuperseded({ cause: 'mode' }));
  });

  it('enters it only with the end of the turn if a later plan may mark more of it as secret', () => {
    const looking = { after: 'look', intents: 1 } as const;
    const decided = [...admitted, events.TurnDecomposed(looking)] as const;
    const withheldMessage = { sealedMessage, withholdsMessage: true };
    given(...admitted)
      .when(commands.RecordDecomposition({ ...looking, ...withheldMessage }))
      .then(events.TurnDecomposed(looking));
    given(...decided)
      .when(commands.SettleIntent(withheldMessage))
      .then(events.IntentSettled());
    const settles = { kind: 'plan-executed', ok: true, limit: null, sealedAnswer: 'sealed answer' } as const;
    given(...decided)
      .when(commands.SettleIntent({ ...withheldMessage, settles }))
      .then(recorded, events.IntentSettled(), events.TurnSettled());
    given(...decided)
      .when(commands.SettleTurn(withheldMessage))
      .then(recorded, events.TurnSettled());
    given(...decided, events.ModeChanged())
      .when(commands.SettleIntent(withheldMessage))
      .then(recorded, events.IntentSettled(), events.TurnSuperseded({ phase: 'executing', cause: 'mode' }));
  });

  it('stays out of it while the turn only checks whether it may continue', () => {
    given(...admitted)
      .when(commands.ContinueTurn({ sealedMessage }))
      .nothing();
  });

  it('is lost with the process that held it', () => {
    given(...admitted)
      .when(commands.AbandonTurn({ at: leaseExpiresAt }))
      .leaves((state) => {
        if (!('entries' in state) || state.entries !== 2) throw new Error(JSON.stringify(state));
      });
  });

  it('is recorded once', () => {
    given(...admitted, recorded, events.TurnDecomposed())
      .when(commands.SettleTurn({ sealedMessage }))
      .then(events.TurnSettled());
  });
});
