import { changeBundledLlm, type BundledLlmPorts } from '../../commands/bundled-llm.ts';
import { setEmailPreference } from '../../commands/email-preferences.ts';
import { describeOrganization, type OrganizationPorts } from '../../commands/organization.ts';
import type { OwnLlmKeyCommands } from '../../commands/own-llm-key.ts';
import { declaredIn } from '../../contracts/record.ts';
import { PutOrganization, noOrganization } from '../../contracts/resources/organization.ts';
import { presentKeyTest, presentOwnKey } from '../../contracts/resources/own-llm-key.ts';
import type { Handling, HandlersOf } from '../engine/handling.ts';

type SettingsRoutes =
  | `${'organization' | 'email-preferences' | 'byok-llm-key'}.put`
  | `byok-llm-key.${'delete' | 'test'}`
  | 'bundled-llm-settings.update';

export interface SettingsPorts extends OrganizationPorts, BundledLlmPorts {
  readonly ownLlmKeys: OwnLlmKeyCommands;
}

/** The routes that change settings of an account. */
export function settingsHandlers(ports: SettingsPorts, { answering }: Handling): HandlersOf<SettingsRoutes> {
  const { ownLlmKeys } = ports;
  return {
    'organization.put': answering(async ({ caller, body }) => {
      const fields = { ...noOrganization, ...declaredIn(PutOrganization, body) };
      const position = await describeOrganization(ports, caller.accountId, fields, caller.context);
      return { body: fields, position };
    }),
    'email-preferences.put': answering(async ({ caller, body }) => {
      const { event_type, opted_in } = body;
      const preference = { eventType: event_type, optedIn: opted_in };
      const position = await setEmailPreference(ports, caller.accountId, preference, caller.context);
      return { body: { event_type, opted_in }, position };
    }),
    'byok-llm-key.put': answering(async ({ caller, body }) => {
      const { key, position } = await ownLlmKeys.store(caller.accountId, body.api_key, caller.context);
      return { body: presentOwnKey(key), position };
    }),
    'byok-llm-key.delete': answering(async ({ caller }) => ({
      position: await ownLlmKeys.remove(caller.accountId, caller.context),
    })),
    'byok-llm-key.test': answering(async ({ caller }) => {
      const { test, position } = await ownLlmKeys.test(caller.accountId, caller.context);
      return { body: presentKeyTest(test), position };
    }),
    'bundled-llm-settings.update': answering(async ({ caller, body }) => {
      const { accountId, context } = caller;
      const { settings, position } = await changeBundledLlm(ports, accountId, body, context);
      return { body: settings, position };
    }),
  };
}
