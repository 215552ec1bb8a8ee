import type { Config } from '../../config/index.ts';
import { createAnthropicDecomposer } from '../../model/anthropic/decomposer.ts';
import type { ModelDecomposer } from '../../model/port.ts';
import { openOutboundGuard } from './outbound.ts';

export { grammar } from '../../model/grammar/grammar.ts';

/** Decides by the configured provider. Its connections close by themselves when they are not used. */
export const modelDecomposer = (config: Config): ModelDecomposer =>
  createAnthropicDecomposer({ guard: openOutboundGuard(config), baseUrl: config.LLM_BASE_URL });
