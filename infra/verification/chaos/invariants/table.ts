import { answersAreKept, readsAreFresh } from './answers.ts';
import { failuresAreCounted } from './failures-in-a-row.ts';
import type { Invariant } from './invariant.ts';
import { acknowledgedIsStored } from './n1-acknowledged.ts';
import { canariesStayHidden } from './n10-canaries.ts';
import { removedMembersAreOut } from './n11-removed-members.ts';
import { oneAccountAnAddress } from './n12-addresses.ts';
import { tokensWorkOnce } from './n13-single-use.ts';
import { endedSessionsAreOut } from './n14-ended-sessions.ts';
import { askedForMailsCome } from './n15-mails.ts';
import { profilesKeepWhatWasSaved } from './n16-profiles.ts';
import { agentsDoOnce } from './n17-agents.ts';
import { ordersArePaidOnce } from './n18-orders.ts';
import { tiersArePaidFor } from './n19-tiers.ts';
import { moneyIsExplained } from './n20-money.ts';
import { neighboursNoticeNothing } from './n21-neighbours.ts';
import { causesAreInTheLog } from './n22-causes.ts';
import { pastsAreAnswers } from './n23-pasts.ts';
import { notesAgree } from './n24-notes.ts';
import { changesAreSigned } from './n25-signed-changes.ts';
import { outcomesAreTrue } from './n26-outcomes.ts';
import { touchesAreOfTheirEpoch } from './n27-touches.ts';
import { controlIsHeldByOne } from './n28-takeovers.ts';
import { framesAreNotKept } from './n29-frames.ts';
import { everyoneIsNotified } from './n2-deliveries.ts';
import { signedByLiveSecrets } from './n2-signatures.ts';
import { readModelsAreFolds } from './n3-read-models.ts';
import { nothingIsShownToNobody } from './n30-encoders.ts';
import { peopleGetIn } from './n31-people-get-in.ts';
import { checkpointsFollow } from './n4-checkpoints.ts';
import { attemptsAreDue } from './n5-attempts.ts';
import { timersFire } from './n5-timers.ts';
import { oneOperation } from './n6-one-operation.ts';
import { auditIsWhole } from './n7-audit.ts';
import { slotsAreSessions } from './n8-slots.ts';
import { onlyInjectedEnds } from './n9-processes.ts';

/** The invariants of every run. */
export const invariants: readonly Invariant[] = [
  acknowledgedIsStored,
  everyoneIsNotified,
  signedByLiveSecrets,
  readModelsAreFolds,
  checkpointsFollow,
  timersFire,
  attemptsAreDue,
  failuresAreCounted,
  oneOperation,
  auditIsWhole,
  slotsAreSessions,
  onlyInjectedEnds,
  canariesStayHidden,
  removedMembersAreOut,
  oneAccountAnAddress,
  tokensWorkOnce,
  endedSessionsAreOut,
  askedForMailsCome,
  profilesKeepWhatWasSaved,
  agentsDoOnce,
  ordersArePaidOnce,
  tiersArePaidFor,
  moneyIsExplained,
  neighboursNoticeNothing,
  causesAreInTheLog,
  pastsAreAnswers,
  notesAgree,
  changesAreSigned,
  outcomesAreTrue,
  touchesAreOfTheirEpoch,
  controlIsHeldByOne,
  framesAreNotKept,
  nothingIsShownToNobody,
  peopleGetIn,
  answersAreKept,
  readsAreFresh,
];
