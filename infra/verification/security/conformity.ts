import type { Ajv2020 as Ajv } from 'ajv/dist/2020.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { routeFor } from '../../http/index.ts';
import type { Answer } from '../../http/testing.ts';

interface Content {
  readonly schema: object;
}
interface Response {
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, Content>>;
}
interface Problem {
  readonly properties?: Readonly<Record<string, { readonly const?: string }>>;
}
/** Name of an answer that many operations share. */
type Declared = Response & { readonly $ref?: string };
type Operations = Readonly<Record<string, { readonly responses: Readonly<Record<string, Declared>> }>>;

export interface Conformity {
  /** Throws if the document does not list this answer for `METHOD /path`. */
  assert(target: string, answer: Answer): void;
}

/** Checks answers against an OpenAPI document: status, content type, body and announced headers. */
export function createConformity(document: object): Conformity {
  const ajv = new Ajv2020({ strict: false, formats: fullFormats });
  ajv.addSchema(document, 'document');
  const { paths, components } = document as {
    readonly paths: Readonly<Record<string, Operations>>;
    readonly components: {
      readonly schemas: Readonly<Record<string, Problem>>;
      readonly responses: Readonly<Record<string, Response>>;
    };
  };
  const membersOf = membersByType(components.schemas);

  return {
    assert(target, answer) {
      const complain = (what: string): never => {
        throw new Error(`${answer.status} to ${target} ${what}: ${answer.text.slice(0, 2000)}`);
      };
      if (answer.headers['x-request-id'] === undefined) complain('has no X-Request-Id');
      const [method = '', path = ''] = target.split(' ');
      const route = routeFor(method, path.split('?', 1)[0] ?? '');
      // HEAD has no operation of its own: its answer is that of GET, without the body.
      if (route === undefined || method === 'HEAD') return;
      const operation = paths[route.path]?.[method.toLowerCase()];
      const stated = operation?.responses[String(answer.status)];
      if (stated === undefined) return complain('is a status that is not declared');
      const judged = named(stated, components.responses) ?? {
        declared: stated,
        pointer: pointerTo(route, answer),
      };
      assertBody(ajv, { ...judged, answer }, complain);
      if (answer.status >= 400) assertMembers(membersOf, answer, complain);
    },
  };
}

/** The members that a problem may have, by its type. */
const membersByType = (schemas: Readonly<Record<string, Problem>>) =>
  new Map(
    Object.values(schemas).map(({ properties = {} }) => [
      properties.type?.const,
      { ...schemas.Problem?.properties, ...properties },
    ]),
  );

/** A named answer and its location; undefined for an inline one. */
function named(
  { $ref }: Declared,
  responses: Readonly<Record<string, Response>>,
): Pick<Judged, 'declared' | 'pointer'> | undefined {
  if ($ref === undefined) return undefined;
  const declared = responses[$ref.split('/').at(-1) ?? ''];
  if (declared === undefined) throw new Error(`${$ref} resolves to nothing`);
  return { declared, pointer: `document${$ref}/content` };
}

function assertMembers(
  membersOf: ReturnType<typeof membersByType>,
  { json }: Answer,
  complain: (what: string) => never,
): void {
  const declared = Object.keys(membersOf.get(String(json.type)) ?? {});
  const others = Object.keys(json).filter((name) => !declared.includes(name));
  if (others.length > 0) complain(`has members that its problem does not declare (${others.join(', ')})`);
}

const escaped = (text: string) => encodeURIComponent(text.replaceAll('~', '~0').replaceAll('/', '~1'));

const pointerTo = ({ path, method }: { path: string; method: string }, { status }: Answer) =>
  `document#/paths/${escaped(path)}/${method.toLowerCase()}/responses/${status}/content`;

interface Judged {
  readonly declared: Response;
  readonly answer: Answer;
  readonly pointer: string;
}

function assertBody(
  ajv: Ajv,
  { declared, answer, pointer }: Judged,
  complain: (what: string) => never,
): void {
  const type = answer.headers['content-type']?.split(';', 1)[0];
  if (declared.content === undefined) {
    if (answer.text !== '') complain('has a body where none is declared');
    return;
  }
  if (type === undefined || !(type in declared.content)) return complain(`is ${type}, which is not declared`);
  if (!/[/+]json$/.test(type)) return;
  const validate = ajv.getSchema(`${pointer}/${escaped(type)}/schema`);
  if (validate === undefined) throw new Error(`${pointer} resolves to nothing`);
  if (validate(JSON.parse(answer.text)) !== true)
    complain(`breaks its schema (${ajv.errorsText(validate.errors)})`);
}
