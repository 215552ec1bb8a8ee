/**
 * The given/when/then kit, exported as `service/testing`: rules, process managers and read models tested in the words
 * of the contract, with any test runner.
 */
export { deciderSpec, type DeciderSpec, type GivenEvents, type Outcome } from './decider-spec.ts';
export { reactionSpec, type ReactionSpec, type Reactions } from './reaction-spec.ts';
export { projectionSpec, type ProjectionSpec, type RowFold, type Rows } from './projection-spec.ts';
export { commandBuilders, eventBuilders, type CommandBuilders, type EventBuilders } from './builders.ts';
