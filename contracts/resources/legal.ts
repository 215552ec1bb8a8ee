import { Type, Timestamp, closed, requestBody } from '../schema.ts';

export const AcceptTerms = requestBody({
  revision: Type.String({ minLength: 1, maxLength: 100, description: 'Of the terms that are in force.' }),
});
export const AcceptedTerms = closed({ accepted_revision: Type.String(), accepted_at: Timestamp });
