import { expect } from 'chai';
import type { Action } from './actions.ts';
import { explore } from './explore.ts';
import { simulate, type Run } from './simulate.ts';
import { webhookFaults } from './webhook-faults.ts';

const seed = 20260105;
const act = (kind: Action['kind'], pick = 0): Action => ({ kind, pick });
/** Long enough for an attempt to be made and recorded. */
const meanwhile = Array.from({ length: 4 }, () => act('create'));
const failing = [
  act('register an endpoint'),
  act('change a receiver', 2),
  act('test an endpoint'),
  ...meanwhile,
];

/** Fault-free runs, each with the coincidence that makes a mistake visible. */
const scripts: Readonly<Record<string, readonly Action[]>> = {
  'a connection that was cut taken for a yes': [
    act('register an endpoint'),
    act('change a receiver', 8),
    act('test an endpoint'),
  ],
  'an attempt before its time': [
    ...failing,
    act('set the clock'),
    act('let time pass', 1),
    ...meanwhile,
    ...meanwhile,
  ],
  'an attempt recorded for each worker that made it': [act('lose the locks'), ...failing],
  'a failure counted at every redelivery': [...failing, act('crash', 2), ...meanwhile],
  'a replay begun beside another': [
    act('register an endpoint'),
    ...meanwhile,
    act('replay a range'),
    act('replay a range'),
  ],
  'a change of subscriptions that was not observed': [
    act('register an endpoint'),
    ...meanwhile,
    act('destroy'),
    ...meanwhile,
    act('change an endpoint', 2),
    ...meanwhile,
    act('destroy', 1),
  ],
};
/** Found within a few dozen runs of any kind. */
const sought = [
  'wake-ups that nobody makes again once they are lost',
  'a secret that signs on when its grace is over',
];

describe('webhooks under one scheduler', () => {
  for (const [fault, script] of Object.entries(scripts)) {
    it(`notice ${fault}`, async () => {
      const run: Run = { script: [script], choices: [] };
      const variant = webhookFaults[fault] ?? {};
      expect((await simulate(run, { variant })).violations).not.to.deep.equal([]);
      expect((await simulate(run)).violations).to.deep.equal([]);
    });
  }

  for (const fault of sought) {
    it(`notice ${fault}`, async () => {
      const variant = webhookFaults[fault] ?? {};
      const { failed, runs } = await explore({
        seed,
        runs: 1000,
        subject: 'webhooks',
        variant,
        shrinks: false,
      });
      expect(failed, `not noticed in ${runs} runs`).to.equal(true);
    });
  }

  it('are tested with every known fault', () => {
    expect([...Object.keys(scripts), ...sought]).to.have.members(Object.keys(webhookFaults));
  });
});
