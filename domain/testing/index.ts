/**
 * The given/when/then kit, exported as `service/testing`: tests of rules, process managers and read models in the contract's
 * terms, with any test runner.
 */
export { deciderSpec, type DeciderSpec, type GivenEvents, type Outcome } from './decider-spec.ts';
export { reactionSpec, type ReactionSpec, type Reactions } from './reaction-spec.ts';
export { projectionSpec, type ProjectionSpec, type RowFold, type Rows } from './projection-spec.ts';
export { commandBuilders, eventBuilders, type CommandBuilders, type EventBuilders } from './builders.ts';
