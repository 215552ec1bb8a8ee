import { recordContracts, type RecordContract } from '../records.ts';
import type { Json } from './json-schema.ts';

/** Example requests of nouns of records, by route id. */
export const recordExamples = Object.fromEntries(
  recordContracts
    .flatMap(({ examples: bodies }: RecordContract) => Object.entries(bodies))
    .map(([id, body]) => [id, { request: body('0198f0a9-8888-7abc-8def-0123456789ab') as Json }]),
);
