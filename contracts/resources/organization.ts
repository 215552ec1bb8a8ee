import { Type, closed, nullable, requestBody, type Static } from '../schema.ts';

const text = (maxLength: number) => nullable(Type.String({ maxLength }));
const fields = {
  display_name: text(120),
  company: text(200),
  use_case: text(500),
  size: text(50),
};

export const Organization = closed(fields);
export type Organization = Static<typeof Organization>;

/** Replaces all fields; an omitted one becomes null. */
export const PutOrganization = requestBody({
  display_name: Type.Optional(fields.display_name),
  company: Type.Optional(fields.company),
  use_case: Type.Optional(fields.use_case),
  size: Type.Optional(fields.size),
});

export const noOrganization: Organization = { display_name: null, company: null, use_case: null, size: null };

/** The sealed field, with all fields as JSON. */
export const organizationField = 'organization';
