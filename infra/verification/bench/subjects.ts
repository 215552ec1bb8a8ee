import { inputEvents } from './agents/input-events.ts';
import { longAgentSession } from './agents/long-session.ts';
import { agentObservation } from './agents/observation.ts';
import { agentRoundEvents, agentRounds, agentRoundTokens } from './agents/rounds.ts';
import { agentsSideBySide } from './agents/side-by-side.ts';
import { transcripts } from './agents/transcripts.ts';
import { agentTurn } from './agents/turn.ts';
import { clientOverhead } from './client/client-overhead.ts';
import { deliveriesList } from './deliveries-list.ts';
import { emmettCommand, emmettCommandCached } from './emmett-command.ts';
import { emmettRebuild } from './emmett-rebuild.ts';
import { appendThroughStore } from './rows/r1-append.ts';
import { commandWithCache, commandWithoutCache } from './rows/r2-command.ts';
import { httpCommand } from './rows/r3-http-command.ts';
import { everyPath, validatedRoute } from './rows/r4-validation.ts';
import { rebuild } from './rows/r5-rebuild.ts';
import { rebuildOneByOne } from './rows/r5b-one-by-one.ts';
import { asOf } from './rows/as-of.ts';
import { historyPage, pastOfFew, pastOfMany, requestTree } from './rows/past.ts';
import { anchoring } from './proofs/anchoring.ts';
import { asOfMillion } from './proofs/as-of-million.ts';
import { causesCost } from './proofs/causes.ts';
import { inclusionProof, newEntry } from './proofs/proofs.ts';
import { fleetWhatIf } from './rows/what-if.ts';
import { projectionWrite } from './rows/r6-write.ts';
import { steadyRebuild } from './rows/r7-steady.ts';
import { rebuildMemory } from './rows/r8-memory.ts';
import { readById } from './rows/r14-read.ts';
import { readLatency } from './rows/r15-read-latency.ts';
import { longList } from './rows/r18-list.ts';
import { rebuildGrowth } from './growth/rebuild.ts';
import { readGrowth, sessionGrowth } from './growth/reads.ts';
import { appendOnLongStream } from './rows/r9-stream-length.ts';
import { commandOnLongStream } from './rows/r10-long-stream.ts';
import { backlogDrain, fanOut } from './webhooks/fan-out.ts';
import { liveCpu, liveMemory } from './live/live-cost.ts';
import { liveJoin, liveLatency, liveTouch } from './live/live-picture.ts';
import { mcpAct, mcpLook } from './mcp/tools.ts';
import { millionScheduled } from './webhooks/million-scheduled.ts';
import { throughput, throughputOnPostgres } from './webhooks/r11-throughput.ts';
import { firstAttempt } from './webhooks/r12-latency.ts';
import { lateness } from './webhooks/r13-lateness.ts';
import { traces } from './traces/traces.ts';
import { visibility } from './rows/r16-visibility.ts';
import { racersOnSessions } from './rows/r17-racers.ts';
import { accountHeader } from './people/account-header.ts';
import { actingRead, actingWrite } from './people/acting-route.ts';
import { login } from './people/login.ts';
import { resolveCaller } from './people/resolve-caller.ts';
import { teamLists } from './people/team-lists.ts';
import { billingCallback } from './billing/callback.ts';
import { billingExplain } from './billing/explain.ts';
import { receiptPdf } from './billing/receipt-pdf.ts';
import { profileLists } from './profile-states/profile-lists.ts';
import { profileLaunch, profileSave, profileSaveMemory } from './profile-states/system-saves.ts';
import { profileState, profileStateMemory } from './profile-states/subjects.ts';
import { statusRead } from './status/status-read.ts';
import { statusStreams } from './status/status-streams.ts';
import { storeAppend } from './store-append.ts';
import { storeGrowth } from './store-growth.ts';
import { storeRead } from './store-read.ts';
import { createOnWebKit, createWithoutBrowser } from './system/system-create.ts';
import { logGrowth } from './system/log-growth.ts';
import { fleetGrowth } from './system/system-fleet-growth.ts';
import { idleMemory, sessionMemory } from './system/system-memory.ts';
import { webKitActs } from './system/system-acts.ts';
import { webKitOverhead } from './system/system-overhead.ts';
import { sessionsGrowth } from './system/system-sessions-growth.ts';
import { commandStepCosts, readStepCosts } from './steps/steps.ts';
import type { Subject } from './subject.ts';

/** Every subject of `npm run bench`, in the order of the targets' table. */
export const subjects: readonly Subject[] = [
  appendThroughStore,
  commandWithoutCache,
  commandWithCache,
  httpCommand,
  validatedRoute,
  everyPath,
  rebuild,
  rebuildOneByOne,
  projectionWrite,
  steadyRebuild,
  rebuildMemory,
  asOf,
  asOfMillion,
  pastOfFew,
  pastOfMany,
  historyPage,
  requestTree,
  causesCost,
  newEntry,
  inclusionProof,
  anchoring,
  fleetWhatIf,
  readById,
  readLatency,
  appendOnLongStream,
  commandOnLongStream,
  throughput,
  throughputOnPostgres,
  firstAttempt,
  lateness,
  fanOut,
  backlogDrain,
  visibility,
  racersOnSessions,
  longList,
  deliveriesList,
  millionScheduled,
  emmettCommand,
  emmettCommandCached,
  emmettRebuild,
  commandStepCosts,
  readStepCosts,
  rebuildGrowth,
  readGrowth,
  sessionGrowth,
  storeAppend,
  storeRead,
  storeGrowth,
  resolveCaller,
  accountHeader,
  actingRead,
  actingWrite,
  login,
  teamLists,
  profileLists,
  billingExplain,
  billingCallback,
  receiptPdf,
  createWithoutBrowser,
  createOnWebKit,
  webKitOverhead,
  webKitActs,
  idleMemory,
  sessionMemory,
  fleetGrowth,
  logGrowth,
  sessionsGrowth,
  profileState,
  profileStateMemory,
  profileSave,
  profileLaunch,
  profileSaveMemory,
  agentTurn,
  inputEvents,
  transcripts,
  agentsSideBySide,
  longAgentSession,
  agentRounds,
  agentRoundTokens,
  agentRoundEvents,
  agentObservation,
  statusRead,
  statusStreams,
  clientOverhead,
  mcpLook,
  mcpAct,
  liveJoin,
  liveLatency,
  liveTouch,
  liveCpu,
  liveMemory,
  traces,
];
