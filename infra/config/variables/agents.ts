import { credential, duration, integer, oneOf, optional, standard, texts, url } from '../kinds.ts';

/** Agent sessions: what decides, for how long, and who may take the controls. */
export const agents = {
  DECOMPOSER: standard(
    oneOf('auto', 'model', 'deterministic'),
    'auto',
    'What turns messages into intents. `auto`: the grammar where it covers a message, else a model; `deterministic`: the grammar alone.',
  ),
  LLM_MODELS: standard(
    texts,
    'claude-fable-5-2,claude-mythos-5-2,claude-haiku-5-5,claude-sonnet-5-5,claude-fable-5-1,claude-opus-5-5',
    'The models that agent sessions may name, newest first; the first is the default.',
  ),
  AGENT_TOKEN_BUDGET: standard(
    integer(1, 1_000_000_000),
    '100000',
    'Tokens that an agent session may use when its request names no `token_budget`.',
  ),
  TURN_DEADLINE: standard(
    duration,
    '5m',
    'From the first call of a model on, how long a turn may go on asking.',
  ),
  AGENT_ROUNDS: standard(
    integer(1, 100),
    '12',
    'How often an agent may look at the page and decide, for one message.',
  ),
  AGENT_PICTURES: standard(
    oneOf('on', 'off'),
    'on',
    'Whether a model may be shown a picture of a page: where it asks for one, or the page has nothing to read.',
  ),
  TURN_LEASE: standard(
    duration,
    '30s',
    'A turn whose process sends no heartbeat for this long is lost, and the next one may come.',
  ),
  PAIR_HEARTBEAT: standard(
    duration,
    '30s',
    'A client that asks for the controls, or has them, and is silent for this long has them no more.',
  ),
  PAIR_GRANTS: standard(
    oneOf('auto', 'on', 'off'),
    'auto',
    'Whether people drive. `auto`: a takeover is granted to a client that is connected with the browser, so that its input arrives; `off`: each stays pending; `on`: an earlier name of `auto`.',
  ),
  RESUME_WITHIN: standard(
    duration,
    '10m',
    'How long after a resume the node is asked whether the challenge is gone.',
  ),
  VIDEO_WS_URL: optional(
    url('ws', 'wss'),
    'Where clients watch the browsers of the local node on a LiveKit server of yours.',
  ),
  VIDEO_API_KEY: optional(credential, 'The name of the key that video tokens are signed with.'),
  VIDEO_API_SECRET: optional(credential, 'The key that video tokens are signed with.'),
} as const;
