import { streamOf } from '../../contracts/events/catalogue.ts';
import { recipeBody, type RecipeBody, type RecipeFields } from '../../contracts/events/recipe.ts';
import { invalid } from '../../contracts/field-errors.ts';
import { parseId, uuidOf, type AccountId, type RecipeId } from '../../contracts/ids.ts';
import { assertJsonSize } from '../../contracts/json-size.ts';
import { refuse } from '../../contracts/problems.ts';
import type { Stored } from '../../contracts/record.ts';
import type { ArchetypeCatalogue } from '../../contracts/resources/archetype.ts';
import {
  mostContentsBytes,
  type CreateRecipe,
  type RecipeSuggestion,
} from '../../contracts/resources/recipe.ts';
import { sessionEvents, type SessionEvent } from '../../contracts/events/session.ts';
import type { TeamRole } from '../../contracts/events/team-member.ts';
import { account } from '../../domain/account.ts';
import { agentSession } from '../../domain/agent-session/agent-session.ts';
import { exists } from '../../domain/agent-session/state.ts';
import { recipeNoun } from '../../domain/recipe/recipe.ts';
import { FairTurns } from '../../infra/platform/fair-turns.ts';
import type { Vault } from '../../infra/vault/index.ts';
import type { BoundRecipe } from '../agent-session/turn/index.ts';
import type { OwnedAgentSession } from '../agent-session/index.ts';
import type { Caller } from '../engine/context.ts';
import { openSealed } from '../engine/open-sealed.ts';
import { hasKnownType } from '../engine/recording.ts';
import { createRecordCommands } from '../engine/records.ts';
import { assertDefaultsFit, bound, writtenContents } from './binding.ts';
import { sourceOf, type Source, type SourcePorts } from './source.ts';
import type { CommandPorts } from '../engine/runner.ts';

export interface RecipePorts extends CommandPorts, Pick<SourcePorts, 'store'> {
  readonly vault: Pick<Vault, 'seal' | 'open'>;
  readonly archetypes: ArchetypeCatalogue;
  /** The role of an account on an owner's team. */
  readonly roleOn: (owner: AccountId, accountId: AccountId) => Promise<TeamRole | undefined>;
}

export type SavedRecipe = Stored<RecipeFields>;

/**
 * Agent sessions whose events are read at once in this process, in all and of one account: a stream may have millions, and all reads share
 * the processor.
 */
const reads = { total: 2, perKey: 1 } as const;

/** Commands on recipes. */
export function createRecipeCommands(ports: RecipePorts) {
  const { create, run: _, ...others } = createRecordCommands(ports, recipeNoun);
  const turns = new FairTurns(reads);
  const suggestInTurn = (found: OwnedAgentSession) =>
    turns.hold(found.accountId, () => suggest(ports, found));
  return {
    ...others,
    /** The recipe suggested from the agent session. */
    suggest: suggestInTurn,
    /**
     * Saves a recipe for the caller's own account. Throws `not-found` as `find` does; `conflict` if no intent was executed;
     * `validation-failed` if it is too large.
     */
    create: async (caller: Caller, body: CreateRecipe) => {
      const found = await sourceSession(ports, caller, body.agent_session_id);
      const { suggestion, reason, source } = await suggestInTurn(found);
      if (suggestion === null || source === null) throw refuse('conflict', reason);
      const { steps, parameters, source: range, source_hash: sourceHash } = suggestion;
      const contents = body.steps ? writtenContents(body.steps, parameters) : { steps, parameters };
      assertJsonSize('/body/steps', contents, mostContentsBytes, ', with their parameters');
      assertDefaultsFit(contents);
      const name = body.name?.trim() ?? `Recipe of ${ports.clock.now().toISOString().slice(0, 10)}`;
      const readable: RecipeBody = { name, description: body.description ?? '', ...contents };
      const fields: RecipeFields = {
        ...{ agentSessionId: found.id, sourceHash, version: 1 },
        ...{ fromIndex: range.from_index, toIndex: range.to_index },
        archetype: await archetypeOf(ports, source),
        sealedBody: await ports.vault.seal(caller.accountId, recipeBody, JSON.stringify(readable)),
      };
      return create(caller.accountId, fields, caller.context);
    },
    /** A recipe of the account with the values of one run. Throws `not-found` as `find` does; refuses invalid values. */
    bind: async (
      accountId: AccountId,
      id: string,
      given: Readonly<Record<string, unknown>>,
    ): Promise<BoundRecipe> => {
      const saved = await others.find(accountId, id);
      const { steps, parameters } = await openBody(ports, saved);
      const contents = { steps, parameters };
      return { id: saved.id as RecipeId, contents, ...bound(contents, given) };
    },
  };
}

export type RecipeCommands = ReturnType<typeof createRecipeCommands>;

async function openBody({ vault }: RecipePorts, { accountId, fields }: SavedRecipe): Promise<RecipeBody> {
  const body = await openSealed(vault, accountId, recipeBody, fields.sealedBody);
  if (body === null) throw refuse('not-found');
  // Only this service seals the field, so its shape is known.
  return JSON.parse(body) as RecipeBody;
}

interface Suggested extends RecipeSuggestion {
  readonly source: Source | null;
}

async function suggest(ports: RecipePorts, found: OwnedAgentSession): Promise<Suggested> {
  const source = await sourceOf(ports, found);
  const outcome =
    source === null ? { reason: 'The steps of this agent session have been erased.' } : source.outcome;
  if (source === null || 'reason' in outcome)
    return { suggestion: null, source, ...('reason' in outcome && { reason: outcome.reason }) };
  const { steps, parameters, fromIndex, toIndex, omitted } = outcome.suggested;
  return {
    source,
    suggestion: {
      ...{ agent_session_id: found.id, steps: [...steps], parameters: [...parameters] },
      ...{ source: { from_index: fromIndex, to_index: toIndex }, source_hash: source.hash, omitted },
    },
  };
}

/**
 * The agent session that a recipe is made from: the account's own, or one of an owner on whose team the account is an admin. Throws
 * `forbidden` for a member, and while the owner is suspended.
 */
async function sourceSession(
  { runner, roleOn }: RecipePorts,
  { accountId }: Caller,
  text: string,
): Promise<OwnedAgentSession> {
  const id = parseId('agentSession', text);
  if (id === undefined) throw refuse('not-found', noSession);
  const { state } = await runner.load(agentSession, uuidOf(id));
  if (!exists(state)) throw refuse('not-found', noSession);
  const owner = state.accountId;
  if (owner !== accountId) {
    const role = await roleOn(owner, accountId);
    if (role === undefined) throw refuse('not-found', noSession);
    const { state: of } = await runner.load(account, uuidOf(owner));
    if (of.status === 'suspended') throw refuse('forbidden', "The owner's account is suspended.");
    if (role !== 'admin')
      throw refuse('forbidden', 'Only admins of a team can make recipes of its agent sessions.');
  }
  return { id, accountId: owner };
}
const noSession = 'There is no such agent session.';

/** The archetype of the browser used; the service's default if unknown. */
async function archetypeOf({ store, archetypes }: RecipePorts, { sessionId }: Source): Promise<string> {
  if (sessionId === null) return archetypes.default;
  for await (const event of store.readStream(streamOf(sessionEvents, uuidOf(sessionId))))
    if (hasKnownType<SessionEvent>(sessionEvents, event) && event.type === 'SessionRequested')
      return event.data.archetype;
  return archetypes.default;
}

/** Refuses variables beside a recipe, whose steps have parameters. */
export const noVariables = () =>
  invalid({
    path: '/body/variables',
    code: 'text',
    message: 'can only be given with a message, not with a recipe_id',
  });

/** Refuses values for a recipe that the message does not name. */
export const noParameters = () =>
  invalid({ path: '/body/parameters', code: 'text', message: 'can only be given with a recipe_id' });
