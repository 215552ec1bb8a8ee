import { loadConfig } from '../../config/index.ts';
import { isRole, portsOf, roles, stopLimitMs, type RoleEntry } from '../../main/roles/table.ts';
import { complaintsAbout, type Given } from './environment.ts';

/** A container that runs a role, from a file for an orchestrator. */
export interface RoleContainer {
  readonly role: string;
  readonly environment: Given;
  /** Ports that other containers can reach. */
  readonly ports: readonly number[];
  /** Milliseconds from the stop signal until it is killed. */
  readonly graceMs: number;
}

const stores = ['EVENTSTORE_URL_FILE', 'POSTGRES_URL_FILE'];
const keys = ['MASTER_KEY_FILE', 'KEY_PEPPER_FILE', 'CURSOR_KEY_FILE'];

/** Errors in how the container is started, by the role's definition in code. */
export function complaintsOfRole({ role, environment, ports, graceMs }: RoleContainer): readonly string[] {
  if (!isRole(role)) return [`${role} is no role`];
  const config = loadConfig(clear(environment));
  const entry: RoleEntry = roles[role];
  const { flags, environment: own = {}, storeless = false } = entry;
  const has = (name: string) => environment[name] !== undefined;
  const listens = portsOf(role).map((name) => config[name]);
  const complaints = {
    'no such ports': listens.every((port) => ports.includes(port)) && ports.length === listens.length,
    'flags are not those of the role': environment.NODE_OPTIONS === flags?.join(' '),
    'lacks what the role is started with': Object.entries(own).every(
      ([name, value]) => environment[name] === value,
    ),
    'is killed before it has stopped': graceMs > stopLimitMs(config, role),
    'asks no store, and is told where they are': !storeless || ![...stores, ...keys].some(has),
    'is not told where the stores are': storeless || stores.every(has),
    'does not listen for others': entry.host !== undefined || config.INTERNAL_HOST === '0.0.0.0',
    'has no token for its metrics': has('METRICS_TOKEN_FILE'),
    'has no operator’s token, or is a node and has one': has('OPERATOR_TOKEN_FILE') === (role !== 'node'),
    'is drained by its gateway without notice': !entry.isAsked || config.SHUTDOWN_NOTICE >= 10_000,
  };
  const wrong = Object.entries(complaints).flatMap(([complaint, isWell]) => (isWell ? [] : [complaint]));
  return [...wrong, ...complaintsAbout(environment)].map((complaint) => `${role}: ${complaint}`);
}

/** Removes variables with placeholders, which are filled in at the start. */
const clear = (environment: Given): Given =>
  Object.fromEntries(Object.entries(environment).filter(([, value]) => !/[%$]/.test(value)));
