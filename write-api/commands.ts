import type { AgentSessionCommands } from '../commands/agent-session/index.ts';
import type { AgentLinks } from '../commands/agent-session/links.ts';
import type { AgentLive } from '../commands/agent-session/live.ts';
import type { AgentRooms } from '../commands/agent-session/room.ts';
import type { Turns } from '../commands/agent-session/turn/index.ts';
import type { AgentVideo } from '../commands/agent-session/video.ts';
import type { ApiKeyCommands } from '../commands/api-key/index.ts';
import type { CardBilling } from '../commands/card-billing/index.ts';
import type { Credentials } from '../commands/credentials/index.ts';
import type { DeviceGrantCommands } from '../commands/device-grant/index.ts';
import type { CommandPorts } from '../commands/engine/runner.ts';
import type { LoginCommands } from '../commands/login/index.ts';
import type { NodeCommands } from '../commands/node/index.ts';
import type { ProfileCommands } from '../commands/profile/index.ts';
import type { ProfileSaves } from '../commands/profile/saves.ts';
import type { ProfileStateCommands } from '../commands/profile/states.ts';
import type { ReceiptPorts } from '../commands/receipt/index.ts';
import type { NounCommands } from '../commands/records.ts';
import type { SecondFactorCommands } from '../commands/second-factor/index.ts';
import type { SessionCommands } from '../commands/session/index.ts';
import type { SubscriberCommands } from '../commands/status/subscribers.ts';
import type { TeamCommands } from '../commands/team/index.ts';
import type { WebSessionCommands } from '../commands/web-session/index.ts';
import type { WebhookCommands } from '../commands/webhook-endpoint/index.ts';
import type { EventStore } from '../infra/event-store/client/types.ts';
import type { Vault } from '../infra/vault/index.ts';
import type { AcceptTerms } from './account/legal.ts';
import type { OrderRoutePorts } from './order/order.ts';
import type { SettingsPorts } from './settings/settings.ts';

/** Commands of the routes, on one runner and its cache. */
export interface WriteCommands extends CommandPorts, NounCommands {
  readonly store: EventStore;
  /** Opens sealed fields of records for answers. */
  readonly vault: Pick<Vault, 'open'>;
  readonly credentials: Credentials;
  readonly receipts: ReceiptPorts;
  readonly logins: LoginCommands;
  readonly webSessions: WebSessionCommands;
  readonly secondFactor: SecondFactorCommands;
  readonly deviceGrants: DeviceGrantCommands;
  readonly acceptTerms: AcceptTerms;
  readonly sessions: SessionCommands;
  readonly nodes: NodeCommands;
  readonly agentSessions: AgentSessionCommands;
  readonly agentLive: AgentLive;
  readonly agentLinks: AgentLinks;
  /** Handles the requests that nodes send on behalf of people connected to their browsers. */
  readonly agentRooms: AgentRooms;
  readonly agentVideo: AgentVideo;
  readonly turns: Turns;
  readonly profiles: ProfileCommands;
  readonly profileStates: ProfileStateCommands;
  /** Fetching and saving of profile states by nodes. */
  readonly saves: ProfileSaves;
  readonly apiKeys: ApiKeyCommands;
  readonly webhooks: WebhookCommands;
  readonly teams: TeamCommands;
  readonly settings: SettingsPorts;
  readonly subscribers: SubscriberCommands;
  readonly cards: CardBilling;
  readonly orders: OrderRoutePorts;
}
