import { randomUUID } from 'node:crypto';
import { Type, closed } from '../../../contracts/schema.ts';
import type { Challenge } from '../../../contracts/webhooks/envelope.ts';
import { limitsOf, type BrowserReport, type OperationLimits, type OperationTable } from '../node/driver.ts';
import { shape } from '../shape.ts';
import { untilPageStays } from './page-failures.ts';
import type { Page } from './page.ts';

/** Response headers by which a check identifies itself, as the vendors document them. */
const headers = [
  { type: 'cloudflare_interstitial', name: 'cf-mitigated', value: /^challenge$/i },
  { type: 'aws_waf', name: 'x-amzn-waf-action', value: /^(captcha|challenge)$/i },
] as const;

/**
 * Frames that are only shown while a check requires an action. Left out: check boxes, badges and scripts that the same
 * vendors put on pages without a check, and vendors that show no frame. Pages choose the addresses: no two repetitions of a pattern may
 * match the same text, or one test could occupy the process of all browsers for hours.
 */
const frames = [
  { type: 'arkose', address: /^https:\/\/([a-z0-9-]+\.)+(arkoselabs|funcaptcha)\.com\// },
  { type: 'datadome', address: /^https:\/\/([a-z0-9-]+\.)*captcha-delivery\.com\// },
  { type: 'hcaptcha', address: /^https:\/\/([a-z0-9-]+\.)*hcaptcha\.com\/[^#]*#.*\bframe=challenge\b/ },
  { type: 'imperva', address: /^https?:\/\/[^/]+\/_Incapsula_Resource\?/ },
  {
    type: 'recaptcha_v2',
    address: /^https:\/\/www\.(google\.com|recaptcha\.net)\/recaptcha\/(api2|enterprise)\/bframe\b/,
  },
] as const;

const headerNames = headers.map(({ name }) => name);
const inSight = shape(closed({ url: Type.String(), frames: Type.Array(Type.String()) }));

/** The check on a page with these response headers and visible frames; undefined if there is none that we know. */
export function challengeOf(
  answered: Readonly<Record<string, string>>,
  shown: readonly string[],
): Challenge | undefined {
  const header = headers.find(({ name, value }) => value.test(answered[name] ?? ''));
  if (header) return { type: header.type, confidence: 1, detail: `The answer says so: ${header.name}.` };
  const frame = frames.find(({ address }) => shown.some((url) => address.test(url)));
  return frame && { type: frame.type, confidence: 0.9, detail: 'The frame of its check is on the page.' };
}

/** Milliseconds that one check of the page may take. */
const lookMs = 2_000;

interface WatchedForChallenges {
  /** The operations, each followed by a check of the page, which they do not wait for. */
  readonly operations: OperationTable;
  /** Whether the check with that id is gone. */
  readonly cleared: (challengeId: string, limits: OperationLimits) => Promise<boolean>;
}

/** Reports a check once while it is on the page. A check that reappears later is a new one, with a new id. */
export function watchForChallenges(
  page: Page,
  operations: OperationTable,
  tell: (report: BrowserReport) => void,
): WatchedForChallenges {
  let present: { readonly id: string; readonly check: string } | undefined;
  const look = async (limits: OperationLimits) => {
    const answered = await page.headers(headerNames, limits);
    const { url, frames: shown } = await page.run('inSight', null, inSight, limits);
    const challenge = challengeOf(answered, shown);
    const check = `${challenge?.type} ${url}`;
    if (challenge === undefined) present = undefined;
    else if (present?.check !== check) {
      present = { id: `chl_${randomUUID()}`, check };
      tell({ kind: 'challenge_detected', challenge_id: present.id, challenge });
    }
  };
  const looking =
    <I, R>(run: (input: I, limits: OperationLimits) => Promise<R>) =>
    async (input: I, limits: OperationLimits): Promise<R> => {
      const result = await run(input, limits);
      // Fails if the page changes meanwhile. The operation that changes it is followed by its own check.
      look(limitsOf(lookMs)).catch(() => undefined);
      return result;
    };
  const { navigate, interact, login } = operations;
  const watched = { navigate: looking(navigate), interact: looking(interact), login: looking(login) };
  return {
    operations: { ...operations, ...watched },
    cleared: async (challengeId, limits) => {
      await untilPageStays(limits, () => look(limits));
      return present?.id !== challengeId;
    },
  };
}
