import { v7 as uuidv7 } from 'uuid';
import type { OwnedAgentSession } from '../../commands/agent-session/index.ts';
import type { Admitted, Turns } from '../../commands/agent-session/turn/index.ts';
import type { Caller } from '../../commands/engine/context.ts';
import { noParameters, noVariables, type RecipeCommands } from '../../commands/recipe/index.ts';
import type { KeyedWork } from '../../commands/receipt/index.ts';
import type { Message, MessageAnswer } from '../../contracts/resources/agent-turn.ts';
import type { agentMessageRoutes } from '../../contracts/routes/agent-messages.ts';
import { invalid } from '../../contracts/field-errors.ts';
import { SchemaRefused, type ResultForm } from '../../infra/model/result-form.ts';
import { ResultForms } from '../../infra/model/result-forms.ts';
import type { RequestFacts } from '../../infra/http/index.ts';
import type { Clock } from '../../infra/platform/clock.ts';
import type { Handling, HandlersOf } from '../engine/handling.ts';
import type { Idempotently } from '../engine/idempotency.ts';

interface MessagePorts {
  readonly turns: Turns;
  readonly recipes: Pick<RecipeCommands, 'bind'>;
  readonly clock: Clock;
}

type MessageRoutes = (typeof agentMessageRoutes)[number]['id'];

/** The route of messages. */
export function agentMessageHandlers(
  ports: MessagePorts,
  { answeringOn }: Handling,
  idempotently: Idempotently,
): HandlersOf<MessageRoutes> {
  const onAgentSession = answeringOn((caller, id) => ports.turns.find(caller, id));
  const forms = new ResultForms();
  return {
    'agent-sessions.message': onAgentSession((call) => {
      const { user_message, approvals, recipe_id, parameters, variables, result_schema } = call.body;
      if (recipe_id === undefined && parameters !== undefined) throw noParameters();
      if (recipe_id !== undefined && variables !== undefined) throw noVariables();
      // The fields that identify a message for idempotency; the model-provider key is not among them.
      const identity = {
        session: call.found.id,
        user_message,
        approvals,
        recipe_id,
        parameters,
        variables,
        result_schema,
      };
      return idempotently('agent-sessions.message', { ...call, identity }, saying(ports, forms, call));
    }),
  };
}

/** Refuses a `result_schema` outside the allowed subset, with the reason; null without one. */
function formOf(
  forms: ResultForms,
  { accountId }: Caller,
  { result_schema: schema }: Message,
): ResultForm | null {
  try {
    return schema === undefined ? null : forms.read(accountId, schema);
  } catch (error) {
    if (!(error instanceof SchemaRefused)) throw error;
    throw invalid({ path: `/body/result_schema${error.path}`, code: 'schema', message: error.message });
  }
}

interface MessageCall {
  readonly caller: Caller;
  readonly found: OwnedAgentSession;
  readonly body: Message;
  readonly request: Pick<RequestFacts, 'header'>;
  readonly begun: () => void;
}

/** The work of a message under an `Idempotency-Key`. */
function saying(
  { turns, recipes, clock }: MessagePorts,
  forms: ResultForms,
  { caller, found, body, request, begun }: MessageCall,
): KeyedWork<string, MessageAnswer> {
  let receivedAt = clock.now();
  let admitted: Promise<Admitted> | undefined;
  const ownKey = request.header('x-byok-llm-api-key')?.trim() ?? '';
  const { user_message: message, variables = null, recipe_id, parameters = {}, approvals } = body;
  const order = {
    ...{ caller, found, message, variables, ownKey: ownKey === '' ? null : ownKey },
    ...(approvals && { approvals }),
  };
  const admitting = async (turnId: string) => {
    // Before it begins: a rate limit is answered without a stream.
    const resultForm = formOf(forms, caller, body);
    begun();
    // Recipes belong to the caller's own account, even when it acts on another one.
    const recipe = recipe_id === undefined ? null : await recipes.bind(caller.actorId, recipe_id, parameters);
    return turns.admit({ ...order, resultForm, recipe, turnId, receivedAt });
  };
  const admit = (turnId: string) => (admitted ??= admitting(turnId));
  return {
    newId: () => {
      receivedAt = clock.now();
      return uuidv7();
    },
    admit: async (turnId) => {
      await admit(turnId);
    },
    run: async (turnId) => turns.run(await admit(turnId)),
    outcome: (turnId) => turns.outcome(found, turnId),
    withdraw: (turnId) => turns.withdraw({ caller, found, turnId }),
  };
}
