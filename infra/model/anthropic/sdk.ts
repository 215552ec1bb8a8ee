/** A module of its own, to be imported when it is needed: it takes a third of a second to load. */
export { Anthropic, APIError, APIUserAbortError } from '@anthropic-ai/sdk';
