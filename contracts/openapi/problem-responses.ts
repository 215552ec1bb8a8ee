import { problems, type ProblemSlug } from '../problems.ts';
import type { Route } from '../routes/index.ts';
import { problemHeaders } from './headers.ts';
import { referenceTo, type JsonObject } from './json-schema.ts';
import { problemName, problemSlugs, problemsOf } from './problem-schemas.ts';
import { inPascalCase } from './words.ts';

/** A problem's answer, shared by the operations with the same problems. */
interface Answer {
  readonly status: number;
  readonly name: string;
  readonly response: JsonObject;
}

/** Problems left out of an answer's name because they usually accompany the key; if one is missing, the name says so. */
const implied: Partial<Record<ProblemSlug, readonly ProblemSlug[]>> = {
  'bad-request': ['validation-failed'],
  forbidden: ['legal-acceptance-required'],
  unauthorized: ['invalid-key', 'revoked-key', 'expired-key'],
};

function answersOf(route: Route): readonly Answer[] {
  const possible = new Set(problemsOf(route));
  const inOrder = problemSlugs.filter((slug) => possible.has(slug));
  const statuses = [...new Set(inOrder.map((slug) => problems[slug].status))];
  return statuses.map((status) => {
    const slugs = inOrder.filter((slug) => problems[slug].status === status);
    const { headers, variant } = problemHeaders(route, status);
    const beside = slugs.flatMap((slug) => implied[slug] ?? []);
    const words = slugs.filter((slug) => !beside.includes(slug)).map(inPascalCase);
    const alone = beside.some((slug) => !slugs.includes(slug)) ? 'Alone' : '';
    return {
      status,
      name: `${words.join('Or')}${alone}${variant}`,
      response: {
        description: slugs.map((slug) => `\`${slug}\`: ${problems[slug].title}`).join('. '),
        headers,
        content: { 'application/problem+json': { schema: anyProblem(slugs) } },
      },
    };
  });
}

function anyProblem(slugs: readonly ProblemSlug[]): JsonObject {
  const references = slugs.map((slug) => referenceTo('schemas', problemName(slug)));
  return references.length === 1 ? { ...references[0] } : { oneOf: references };
}

/** The problems of an operation, by status. */
export const problemReferences = (route: Route): JsonObject =>
  Object.fromEntries(answersOf(route).map(({ status, name }) => [status, referenceTo('responses', name)]));

/** The referenced components. */
export function problemResponses(routes: readonly Route[]): JsonObject {
  const named: JsonObject = {};
  for (const { name, response } of routes.flatMap(answersOf)) {
    if (JSON.stringify(named[name] ?? response) !== JSON.stringify(response))
      throw new Error(`Two answers are called ${name}.`);
    named[name] = response;
  }
  return Object.fromEntries(Object.entries(named).sort(([one], [other]) => (one < other ? -1 : 1)));
}
