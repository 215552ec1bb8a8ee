import { Type, Timestamp, closed, requestBody } from '../schema.ts';

export const AcceptTerms = requestBody({
  revision: Type.String({ minLength: 1, maxLength: 100, description: 'The revision of the current terms.' }),
});
export const AcceptedTerms = closed({ accepted_revision: Type.String(), accepted_at: Timestamp });
