/** A module of its own for dynamic import, because it takes a third of a second to load. */
export { Anthropic, APIError, APIUserAbortError } from '@anthropic-ai/sdk';
