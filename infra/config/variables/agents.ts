import { credential, duration, integer, oneOf, optional, standard, texts, url } from '../kinds.ts';

/** Agent sessions: decomposers, limits, and control. */
export const agents = {
  DECOMPOSER: standard(
    oneOf('auto', 'model', 'deterministic'),
    'auto',
    'Decomposer of messages into intents. `auto`: the grammar if it covers the message, else a model; `deterministic`: only the grammar.',
  ),
  LLM_MODELS: standard(
    texts,
    'claude-fable-5-2,claude-mythos-5-2,claude-haiku-5-5,claude-sonnet-5-5,claude-fable-5-1,claude-opus-5-5',
    'Models available to agent sessions, newest first; the first is the default.',
  ),
  AGENT_TOKEN_BUDGET: standard(
    integer(1, 1_000_000_000),
    '100000',
    'Default `token_budget` of an agent session.',
  ),
  TURN_DEADLINE: standard(
    duration,
    '5m',
    'Time limit of a turn that a model decides, from its first call on: then calls are given up, and no further step is begun.',
  ),
  AGENT_ROUNDS: standard(
    integer(1, 100),
    '12',
    'Maximum rounds of a turn: observations of the page, each with a decision.',
  ),
  AGENT_PICTURES: standard(
    oneOf('on', 'off'),
    'on',
    'Whether a model may get a picture of a page: if it asks for one, or if the page has no text.',
  ),
  TURN_LEASE: standard(
    duration,
    '30s',
    'Lease of a turn: without a heartbeat of its process for this long it is lost, and the next turn may start.',
  ),
  PAIR_HEARTBEAT: standard(
    duration,
    '30s',
    'A client that has or requests the controls loses them after this time without input or heartbeat.',
  ),
  PAIR_GRANTS: standard(
    oneOf('auto', 'on', 'off'),
    'auto',
    'Whether people may drive. `auto`: a takeover is granted once its client is connected to the browser; `off`: takeovers stay pending; `on`: an earlier name of `auto`.',
  ),
  RESUME_WITHIN: standard(
    duration,
    '10m',
    'How long the node is polled after a resume for the end of the challenge.',
  ),
  VIDEO_WS_URL: optional(
    url('ws', 'wss'),
    "URL of your LiveKit server, for video of the local node's browsers.",
  ),
  VIDEO_API_KEY: optional(credential, 'Name of the signing key of video tokens.'),
  VIDEO_API_SECRET: optional(credential, 'Signing key of video tokens.'),
} as const;
