import { uuidOf, type AccountId } from '../../contracts/ids.ts';
import type { ExistingWebhook, SealedSecret } from '../../domain/webhook-endpoint/state.ts';
import { webhookEndpoint } from '../../domain/webhook-endpoint/webhook-endpoint.ts';
import type { Position } from '../../infra/event-store/client/types.ts';
import { secretField } from '../../infra/webhooks/secret.ts';
import { stepContext } from '../engine/derived-context.ts';
import type { CommandContext } from '../engine/context.ts';
import type { WebhookPorts } from './ports.ts';

/** A secret's text, to be shown once, and what may be kept of it. */
interface IssuedSecret {
  readonly text: string;
  readonly secret: SealedSecret;
}

/** Makes a secret and seals it for this account and under its own id. */
export async function issueSecret(
  { vault, newSecret, limits }: WebhookPorts,
  accountId: AccountId,
  now: Date,
  context: CommandContext,
): Promise<IssuedSecret> {
  const { commandId: secretId } = stepContext(context, 'secret');
  const text = newSecret();
  const sealed = await vault.seal(accountId, secretField(secretId), text);
  return { text, secret: { secretId, sealed, remindAt: after(now, limits.secretReminderMs) } };
}

/** `secret` is shown once and kept nowhere in clear. */
export interface RotatedSecret {
  readonly secret: string;
  readonly previousExpiresAt: string;
  readonly position: Position | undefined;
}

const dayMs = 24 * 3_600_000;

/** From here on both secrets sign, until the grace of the old one ends; its owner hears of that on its last day. */
export async function rotateSecret(
  ports: WebhookPorts,
  { webhookId, accountId }: ExistingWebhook,
  context: CommandContext,
): Promise<RotatedSecret> {
  const now = ports.clock.now();
  const { secretGraceMs } = ports.limits;
  const { text, secret } = await issueSecret(ports, accountId, now, context);
  const graceEndsAt = after(now, secretGraceMs);
  const { position } = await ports.runner.run(
    webhookEndpoint,
    uuidOf(webhookId),
    {
      type: 'RotateSecret',
      secret,
      graceEndsAt,
      graceNoticeAt: after(now, Math.max(0, secretGraceMs - dayMs)),
      at: now.toISOString(),
    },
    stepContext(context, 'rotate-secret'),
  );
  return { secret: text, previousExpiresAt: graceEndsAt, position };
}

const after = (time: Date, milliseconds: number): string =>
  new Date(time.getTime() + milliseconds).toISOString();
