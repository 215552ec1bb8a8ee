import type { AgentHandle, MessageOptions, TranscriptEntry } from '../../../contracts/client/index.ts';
import { ToolError } from '../advice.ts';
import { companionOf } from '../companion.ts';
import { idleSeconds } from '../limits.ts';
import { linesOf } from '../page.ts';
import { transcriptUri } from '../resource-names.ts';
import { beginning, tokensOf } from '../tokens.ts';
import { defineTool, hints, schemas, type Answer, type ToolContext } from '../tool.ts';
import { answerBehind, withinMaxWait, turnIn, turnOf } from '../waiting.ts';
import { notice, oneLine } from '../words.ts';

const { described, string, object } = schemas;
const gives = {
  turn: string,
  status: string,
  answer: string,
  result: {},
  session: string,
  untrusted: string,
};

interface Errand {
  readonly task: string;
  readonly session?: string;
  readonly result_schema?: Readonly<Record<string, unknown>>;
}

export const askAgent = defineTool<Errand>({
  name: 'ask_agent',
  title: "Ask the service's agent",
  description:
    "Gives the service's own agent a task in a browser. Returns its result or, after 25 s, a turn for agent_result.",
  hints: hints.acts,
  takes: {
    'task!': described('In whole sentences, with every value to type'),
    session: described('Browser to use; default: a new one'),
    result_schema: described('JSON Schema of the result: an object or array', object),
  },
  gives,
  run: async (context, { task, session: id, result_schema: form }) =>
    sent(
      context,
      await agentFor(context, id),
      task,
      form === undefined ? {} : { result_schema: { ...form } },
    ),
});

interface Running {
  readonly recipe: string;
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly session?: string;
}

export const runRecipe = defineTool<Running>({
  name: 'run_recipe',
  title: 'Run a recipe',
  description: 'Runs the steps of a saved recipe, without a model.',
  hints: hints.acts,
  takes: {
    'recipe!': described('Id or name'),
    parameters: object,
    session: described('Browser to use; default: a new one'),
  },
  gives,
  run: async (context, { recipe, parameters, session: id }) => {
    const recipe_id = await recipeId(context, recipe);
    const options = { recipe_id, ...(parameters !== undefined && { parameters: { ...parameters } }) };
    return sent(context, await agentFor(context, id), 'Run the recipe.', options);
  },
});

export const agentResult = defineTool<{ readonly turn: string }>({
  name: 'agent_result',
  title: "The agent's result",
  description: 'The result of a turn of ask_agent or run_recipe. Waits up to 25 s, and can be called again.',
  hints: hints.reads,
  takes: { 'turn!': string },
  gives,
  run: async (context, { turn }) => {
    const asked = turnIn(turn);
    if (asked === undefined) throw new ToolError('That is no turn.', 'ask_agent gives turns.');
    const { service_session_id: browser } = await context.service.agents.get(asked.agent, {
      signal: context.signal,
    });
    const entry = await withinMaxWait(context, (signal) => answerBehind(context, asked, signal));
    return entry === undefined ? working(turn, browser) : answered(turn, browser, entry);
  },
});

/** The agent session for an errand: that of the given browser, or a new one. */
async function agentFor(context: ToolContext, browser: string | undefined): Promise<AgentHandle> {
  const { service, opened, signal } = context;
  if (browser !== undefined) return agentOf(context, browser);
  // Not cancelled: an agent session that is being opened would be orphaned.
  const open = service.agents.create({ mode: 'ai', idle_timeout_seconds: idleSeconds.usual });
  const agent = await (opened === undefined ? open : opened.opening(open, (id) => service.agents.close(id)));
  if (signal.aborted) {
    await service.agents.close(agent.id);
    opened?.closed(agent.id);
    signal.throwIfAborted();
  }
  return agent;
}

/**
 * The agent session of a browser, which takes messages to its agent unless a person has the controls. In `pair`, unlike in `ai`, a person
 * who was driving by hand takes them back with the next touch.
 */
async function agentOf(context: ToolContext, browser: string): Promise<AgentHandle> {
  const { service, signal } = context;
  const { id } = await companionOf(context, browser);
  const { data: agent, response } = await service.agents.get(id, { signal }).withResponse();
  // By an older state, an errand would be taken for an earlier one.
  if (response.headers.get('x-service-stale') === 'true')
    throw new ToolError('The service is behind its latest changes.', 'Try again in a moment.');
  return agent.mode === 'manual' ? agent.setMode('pair', { signal }) : agent;
}

/** Sends a message and waits for a while. Leaving ends the wait, not the turn. */
async function sent(
  context: ToolContext,
  agent: AgentHandle,
  message: string,
  options: MessageOptions,
): Promise<Answer> {
  const begun = turnOf(agent.id, agent.transcript_length);
  const done = await withinMaxWait(context, (signal) => agent.send(message, { ...options, signal }));
  if (done === undefined) return working(begun, agent.service_session_id);
  const { kind, session } = done;
  if (kind === 'logged-manual')
    throw new ToolError('Nothing was done: the browser is driven by hand.', 'Ask again once it is free.');
  const { transcript_length: length, service_session_id: browser } = session;
  // The message and its answer are the last two entries.
  const asked = { agent: agent.id, index: length - 2 };
  const turn = turnOf(asked.agent, asked.index);
  const entry = await withinMaxWait(context, (signal) => answerBehind(context, asked, signal));
  return entry === undefined ? working(turn, browser) : answered(turn, browser, entry);
}

const inBrowser = (browser: string | null) => (browser === null ? {} : { session: browser });

const working = (turn: string, browser: string | null): Answer => ({
  lines: [`It is still at work: call agent_result with turn: ${turn}.`],
  structured: { turn, status: 'working', ...inBrowser(browser) },
});

/** Maximum tokens of the agent's words and of its result, which are in an answer twice. */
const most = { words: 900, result: 1700 };

function answered(
  turn: string,
  browser: string | null,
  { body, result, result_error: wrong }: TranscriptEntry,
): Answer {
  const shown = beginning(body, most.words);
  const isLong = result !== undefined && tokensOf(JSON.stringify(result)) > most.result;
  const isCut = shown.length < body.length || isLong;
  const [agent = ''] = turn.split('.');
  return {
    lines: ['It has ended.'],
    words: [
      ...linesOf(shown),
      ...(result === undefined || isLong ? [] : linesOf(`result: ${JSON.stringify(result)}`)),
      ...(typeof wrong === 'string' ? [oneLine(`no result: ${wrong}`, 400)] : []),
    ],
    source: 'an agent that has read pages',
    more: isCut ? [`There is more: read ${transcriptUri(agent)}.`] : [],
    structured: {
      ...{ turn, status: 'done', answer: shown, ...inBrowser(browser), untrusted: notice },
      ...(result !== undefined && !isLong && { result }),
    },
  };
}

async function recipeId({ service, signal }: ToolContext, given: string): Promise<string> {
  if (given.startsWith('rec_')) return given;
  for await (const { id, name } of service.recipes.list({ limit: 100, signal }))
    if (name === given) return id;
  throw new ToolError('There is no recipe of that name.', 'Recipes are saved from agent sessions.');
}
