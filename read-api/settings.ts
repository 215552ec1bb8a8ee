import { boundsOfMonth, monthOf } from '../contracts/calendar-month.ts';
import type { AccountId } from '../contracts/ids.ts';
import { monthlyCap, presentBundledLlm, type BundledLlmStatus } from '../contracts/resources/bundled-llm.ts';
import { presentEmailPreferences } from '../contracts/resources/email-preferences.ts';
import { noOrganization, organizationField, type Organization } from '../contracts/resources/organization.ts';
import { presentOwnKey } from '../contracts/resources/own-llm-key.ts';
import type { Reply } from '../infra/http/index.ts';
import type { Clock } from '../infra/platform/clock.ts';
import type { Vault } from '../infra/vault/index.ts';
import { bundledStatus } from '../projections/queries/settings.ts';
import {
  accountEmailPreferences,
  bundledLlmSettings,
  organizations,
  ownLlmKeys,
  spendRowId,
} from '../projections/read-models/settings.ts';
import type { Details } from './engine/details.ts';
import type { Read, ReadCall } from './engine/reading.ts';
import { accountResource } from './engine/resource.ts';
import { stateReader } from './engine/states.ts';

export interface SettingsReadOptions {
  readonly vault: Pick<Vault, 'open'>;
  readonly clock: Clock;
  readonly bundledLlm: {
    /** True if the deployment has a bundled model. */
    readonly isAvailable: boolean;
    /** Default monthly cap. */
    readonly defaultCapCents: number;
  };
}

/** An account's settings, with defaults for ones never set. */
export function settingsReads(
  read: Read,
  details: Details,
  { vault, clock, bundledLlm }: SettingsReadOptions,
) {
  const { isAvailable, defaultCapCents } = bundledLlm;
  const showState = stateReader(read);
  return {
    ...details('organization', organizationIn(read, vault)),
    'email-preferences.get': showState(accountEmailPreferences, presentEmailPreferences),
    'byok-llm-key.get': showState(ownLlmKeys, (state) =>
      presentOwnKey(state.status === 'none' ? undefined : state),
    ),
    'bundled-llm-settings.get': showState(bundledLlmSettings, (state) =>
      presentBundledLlm(state, defaultCapCents),
    ),
    'bundled-llm-status.get': {
      run: async (call: ReadCall): Promise<Reply> => {
        const { accountId } = call.caller;
        const month = monthOf(clock.now().toISOString());
        const { rows, freshness } = await read(call, bundledStatus, {
          accountId,
          spendId: spendRowId(accountId, month),
        });
        const { start, end } = boundsOfMonth(month);
        const settings = bundledLlmSettings.stateOf(rows[0]?.state ? { state: rows[0].state } : undefined);
        const body: BundledLlmStatus = {
          available: isAvailable,
          spent_cents: rows[0]?.spent_cents ?? 0,
          cap_cents: monthlyCap(settings, defaultCapCents),
          period_start: start,
          resets_at: end,
        };
        return { body, ...freshness };
      },
    },
  };
}

const organizationIn = (read: Read, vault: Pick<Vault, 'open'>) =>
  accountResource(read, organizations, async ({ sealedFields }, accountId) =>
    sealedFields === null ? noOrganization : openFields(vault, accountId, sealedFields),
  );

/** Settings cannot be read once the account's data key is destroyed. */
async function openFields(
  vault: Pick<Vault, 'open'>,
  accountId: AccountId,
  sealed: string,
): Promise<Organization> {
  const opened = await vault.open(accountId, organizationField, sealed);
  return 'text' in opened ? (JSON.parse(opened.text) as Organization) : noOrganization;
}
