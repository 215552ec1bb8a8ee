import type { DomainEvent } from '../../contracts/events/catalogue.ts';
import type { EventMetadata } from '../../contracts/events/metadata.ts';
import { toId } from '../../contracts/ids.ts';
import { agentSessionLives } from './agent-session-lives.ts';
import { goldenData } from './golden.ts';
import { by, type ReadSide } from './index.ts';
import type { Life } from './life.ts';
import { recordLives } from './record-lives.ts';

const uuid = (digits: string): string => `0197f1a0-0000-7000-8000-0000000000${digits}`;
export const storyAccount = toId('account', uuid('02'));

/** Every event type of the contract at least once, and for every read model subjects that have ended and some that have not. */
export const story: readonly Life[] = [
  { category: 'email', subject: '02', types: ['EmailReserved'] },
  { category: 'email', subject: '02', as: '35', types: ['EmailReserved', 'EmailReleased'] },
  { category: 'account', subject: '02', as: '35', types: ['AccountCreated', 'AccountErased'] },
  {
    category: 'account',
    subject: '02',
    types: [
      'AccountCreated',
      'TermsAccepted',
      'ApiKeyAdmitted',
      'TierChanged',
      'TierConfirmed',
      'EntitlementGranted',
      'EntitlementEnded',
      'ConcurrencyOverridden',
      'ProfileCapOverridden',
      'AccountSuspended',
      'AccountUnsuspended',
      'ApiKeyDismissed',
    ],
  },
  {
    category: 'login',
    subject: '02',
    types: [
      'SignedUp',
      'OneTimeTokenIssued',
      'EmailVerified',
      'SignInFailed',
      'MagicLinkUsed',
      'UnprovenPasswordDropped',
      'SignInMethodAdded',
      'SignInMethodConfirmed',
      'PasswordReset',
    ],
  },
  { category: 'api_key', subject: '04', types: ['ApiKeyCreated', 'ApiKeyRotated', 'ApiKeyRevoked'] },
  { category: 'api_key', subject: '04', as: '44', types: ['ApiKeyCreated'] },
  { category: 'api_key', subject: '04', as: '54', types: ['ApiKeyWithdrawn'] },
  { category: 'node', subject: '03', types: ['NodeRegistered', 'NodeDrained', 'NodeUndrained'] },
  { category: 'node', subject: '03', as: '43', types: ['NodeRegistered', 'NodeRevoked'] },
  ...recordLives,
  { category: 'deprecated_use', subject: '02', types: ['DeprecationUsed'] },
  { category: 'audit_head', subject: '02', types: ['AuditHeadSigned'] },
  { category: 'account_profiles', subject: '02', types: ['ProfileQuotaReserved', 'ProfileQuotaReleased'] },
  {
    category: 'profile',
    subject: '25',
    types: [
      'ProfileCreated',
      'ProfileChanged',
      'ProfileBound',
      'ProfileReleased',
      'ProfileBound',
      'StateSaveStarted',
      'StateSaved',
      'ProfileBound',
      'StateSaveStarted',
      'StateSaveFailed',
      'ProfileTrimmed',
      'ProfileExported',
      'ProfileTransferOffered',
    ],
  },
  {
    category: 'profile',
    subject: '25',
    as: '55',
    types: [
      ...[
        'ProfileCreated',
        'ProfileTrashed',
        'ProfileReservationLapsed',
        'ProfileRestored',
        'ProfileTrashed',
      ],
      'ProfilePurged',
    ],
  },
  { category: 'profile', subject: '25', as: '65', types: ['ProfileCreated', 'ProfileTrashed'] },
  {
    category: 'profile',
    subject: '25',
    as: '75',
    types: ['ProfileCreated', 'ProfileTransferOffered', 'ProfileHandedOver', 'ProfileTransferred'],
  },
  { category: 'profile', subject: '25', as: '85', types: ['ProfileWithdrawn'] },
  {
    category: 'order',
    subject: '01',
    types: [
      ...['OrderPlaced', 'PaymentCreated', 'PaymentRequested', 'OrderPartlyPaid', 'OrderConfirming'],
      ...['OrderPaid', 'PaymentReviewRequested'],
    ],
  },
  { category: 'order', subject: '01', as: '91', types: ['OrderPlaced', 'OrderWithdrawn'] },
  {
    category: 'order',
    subject: '01',
    as: '92',
    types: ['OrderPlaced', 'PaymentCreated', 'OrderExpired', 'PaymentsChecked'],
  },
  { category: 'order', subject: '01', as: '93', types: ['OrderPlaced', 'PaymentCreated', 'OrderFailed'] },
  { category: 'order', subject: '01', as: '94', types: ['OrderPlaced', 'PaymentCreated', 'OrderCancelled'] },
  { category: 'order', subject: '01', as: '95', types: ['OrderAbandoned'] },
  {
    category: 'subscription',
    subject: '02',
    types: [
      ...['CardCustomerCreated', 'CheckoutOpened', 'SubscriptionChanged', 'InvoicePaid', 'RenewalNear'],
      ...['PaymentFailed', 'InvoiceClosed', 'PortalOpened'],
    ],
  },
  { category: 'status_subscriber', subject: '01', types: ['SubscriptionRequested', 'SubscriptionConfirmed'] },
  {
    category: 'status_subscriber',
    subject: '01',
    as: '96',
    types: ['SubscriptionRequested', 'SubscriptionConfirmed', 'SubscriptionEnded'],
  },
  { category: 'profile_snapshots', subject: '25', types: ['SnapshotReserved', 'SnapshotReleased'] },
  { category: 'profile_snapshot', subject: '27', types: ['SnapshotCaptured', 'SnapshotOrphaned'] },
  { category: 'profile_snapshot', subject: '27', as: '57', types: ['SnapshotCaptured', 'SnapshotDeleted'] },
  { category: 'profile_snapshot', subject: '27', as: '67', types: ['SnapshotWithdrawn'] },
  { category: 'organization', subject: '02', types: ['OrganizationDescribed'] },
  { category: 'email_preferences', subject: '02', types: ['EmailPreferenceSet'] },
  {
    category: 'own_llm_key',
    subject: '02',
    types: ['OwnLlmKeyStored', 'OwnLlmKeyTested', 'OwnLlmKeyAged', 'OwnLlmKeyRemoved', 'OwnLlmKeyStored'],
  },
  { category: 'bundled_llm', subject: '02', types: ['BundledLlmChanged', 'BundledLlmCeilingSet'] },
  { category: 'bundled_spend', subject: '32', types: ['BundledLlmSpent', 'BundledLlmReturned'] },
  {
    category: 'web_session',
    subject: '31',
    types: ['WebSessionOpened', 'WebSessionRefreshed', 'WebSessionConfirmed', 'WebSessionEnded'],
  },
  { category: 'web_session', subject: '31', as: '34', types: ['WebSessionOpened'] },
  {
    category: 'team_member',
    subject: '31',
    types: ['TeamMemberInvited', 'TeamMemberJoined', 'TeamMemberRemoved'],
  },
  { category: 'team_member', subject: '31', as: '35', types: ['TeamMemberInvited', 'TeamMemberJoined'] },
  { category: 'team_member', subject: '31', as: '36', types: ['TeamMemberInvited'] },
  {
    category: 'team_member',
    subject: '31',
    as: '37',
    types: ['TeamMemberInvited', 'TeamInvitationWithdrawn', 'TeamInvitationLapsed'],
  },
  { category: 'account_invitations', subject: '02', types: ['InvitationReserved', 'InvitationReleased'] },
  ...agentSessionLives,
  { category: 'receipt', subject: '06', types: ['ReceiptAdmitted', 'ReceiptSettled'] },
  { category: 'receipt', subject: '06', as: '46', types: ['ReceiptAdmitted', 'ReceiptAbandoned'] },
  { category: 'account_slots', subject: '02', types: ['SlotReserved', 'SlotReleased'] },
  {
    category: 'session',
    subject: '01',
    types: [
      'SessionRequested',
      'SessionReady',
      'EgressCapabilitiesReported',
      'OperationClaimed',
      'ChallengeDetected',
      'OperationSettled',
      'IdleTimeoutExtended',
      'DurationCapLifted',
      'ProfileSaveFailed',
      'SessionDestroyed',
    ],
  },
  { category: 'session', subject: '01', as: '41', types: ['SessionRequested', 'SessionReady'] },
  {
    category: 'session',
    subject: '01',
    as: '51',
    types: ['SessionRequested', 'SessionReady', 'SessionErrored'],
  },
  { category: 'session', subject: '01', as: '61', types: ['SessionRequested', 'SessionWithdrawn'] },
  { category: 'account_webhooks', subject: '02', types: ['WebhookAdmitted', 'WebhookDismissed'] },
  {
    category: 'webhook_endpoint',
    subject: '10',
    types: [
      'WebhookRegistered',
      'WebhookChanged',
      'WebhookTestRequested',
      'WebhookFailureCounted',
      'WebhookFailuresCleared',
      'WebhookSecretAged',
      'WebhookSecretRotated',
      'WebhookGraceEnding',
    ],
  },
  {
    category: 'webhook_endpoint',
    subject: '10',
    as: '50',
    types: ['WebhookRegistered', 'WebhookDisabled', 'WebhookDeleted'],
  },
  { category: 'webhook_endpoint', subject: '10', as: '60', types: ['WebhookWithdrawn'] },
  {
    category: 'webhook_delivery',
    subject: '11',
    types: ['DeliveryScheduled', 'DeliveryAttemptFailed', 'DeliverySucceeded'],
  },
  {
    category: 'webhook_delivery',
    subject: '11',
    as: '71',
    types: ['DeliveryScheduled', 'DeliveryAttemptFailed', 'DeliveryDeadLettered', 'DeliveryRequeued'],
  },
  {
    category: 'webhook_delivery',
    subject: '11',
    as: '81',
    types: ['DeliveryScheduled', 'DeliveryCancelled'],
  },
  {
    category: 'webhook_replay',
    subject: '10',
    types: ['ReplayRequested', 'ReplayAdvanced', 'ReplayCompleted'],
  },
  { category: 'webhook_replay', subject: '12', as: '52', types: ['ReplayRequested', 'ReplayAbandoned'] },
  {
    category: 'second_factor',
    subject: '02',
    types: [
      'SecondFactorEnrolmentBegun',
      'SecondFactorConfirmed',
      'SecondFactorDisabled',
      'SecondFactorEnrolmentBegun',
      'SecondFactorCodeRefused',
      'SecondFactorConfirmed',
      'SecondFactorCodeUsed',
      'RecoveryCodeUsed',
    ],
  },
  {
    category: 'device_grant',
    subject: '31',
    types: [
      'DeviceGrantRequested',
      'DeviceGrantPolled',
      'DeviceGrantSlowed',
      'DeviceGrantAuthorized',
      'DeviceGrantRedeemed',
    ],
  },
  { category: 'device_grant', subject: '31', as: '32', types: ['DeviceGrantRequested', 'DeviceGrantDenied'] },
  { category: 'mail', subject: '13', types: ['MailQueued', 'MailAttemptFailed', 'MailSent'] },
  { category: 'mail', subject: '13', as: '53', types: ['MailQueued', 'MailAbandoned'] },
  { category: 'mail', subject: '13', as: '63', types: ['MailQueued'] },
  { category: 'mail', subject: '13', as: '64', types: ['SubscriberMailQueued', 'MailSent'] },
  { category: 'public_tree', subject: '02', types: ['HeadsAnchored', 'PublicHeadSigned'] },
];

/** A session that is ready without having been requested, which no read model of sessions can apply. */
export const orphan: Life = {
  category: 'session',
  subject: '01',
  as: '91',
  types: ['SessionReady', 'SessionDestroyed'],
};

const eventsOf = ({ category, subject, as = subject, types }: Life): DomainEvent[] =>
  types.map((type) => ({
    type,
    data: goldenData(category, type, (text) => text.replaceAll(uuid(subject), uuid(as))),
  }));

const noOne: Partial<EventMetadata> = { actor: { kind: 'system', account_id: null } };

/** Appends the lives, one stream after the other. */
export async function tell(side: Pick<ReadSide, 'append'>, lives: readonly Life[]): Promise<void> {
  for (const life of lives) {
    const cause = life.category === 'node' ? noOne : by(storyAccount, toId('apiKey', uuid('04')));
    await side.append(`${life.category}-${uuid(life.as ?? life.subject)}`, eventsOf(life), cause);
  }
}
