/** Every text of the pages about webhooks. */
export const words = {
  webhooks: 'Webhooks',
  webhook: 'Webhook',
  url: 'Address',
  description: 'Description',
  events: 'Events',
  status: 'Status',
  failures: 'Failures in a row',
  created: 'Created',
  disabled: 'Disabled',
  secretSince: 'Secret since',
  graceUntil: 'Previous secret works until',
  none: 'No endpoint has been registered yet.',
  newWebhook: 'New webhook',
  create: 'Create webhook',
  once: 'Its signing secret',
  file: 'webhook-secret.txt',
  eventsHint: 'The events that are sent to it.',
  edit: 'Change',
  save: 'Save',
  test: 'Send a test',
  tested: 'A test was sent. It is listed below.',
  rotate: 'Rotate secret',
  rotateTitle: 'Replace the signing secret?',
  rotateText: 'You get a new secret. During a grace period each delivery is signed with both.',
  rotatedUntil: 'Deliveries are signed with both secrets until {time}.',
  delete: 'Delete webhook',
  deleteTitle: 'Delete this webhook?',
  deleteText: 'Pending deliveries are cancelled. This cannot be undone.',
  deliveries: 'Deliveries',
  noDelivery: 'Nothing has been sent to it yet.',
  delivery: 'Delivery',
  event: 'Event',
  attempts: 'Attempts',
  lastAnswer: 'Last answer',
  noAnswer: 'none',
  next: 'Next attempt',
  delivered: 'Delivered',
  trigger: 'Caused by',
  replayOf: 'Replay of',
  sendAgain: 'Send again',
  sentAgain: 'It is being sent again, as {id}.',
  at: 'At',
  answer: 'Answer',
  took: 'Took',
  resolved: 'DNS lookup after',
  connected: 'Connected after',
  firstByte: 'First byte after',
  noAttempt: 'No attempt has ended yet.',
  answerKept: 'Only the status of an answer is stored.',
  sent: 'What each attempt sends',
  sentText:
    'The body is stored, and is sent byte for byte. The headers are shown as they would be sent, except the signature: it is computed for each attempt from the time and the secret, and is not stored.',
  signature: 't=…,v1=…',
  body: 'the body',
  replay: 'Replay since…',
  since: 'Since',
  until: 'Until',
  untilHint: 'Empty: until now.',
  count: 'Count',
  matching: '{count} events would be sent again.',
  replayNow: 'Send {count} again',
  replaying: 'A replay has started: {id}.',
  verify: 'Verify a delivery in your code',
  language: 'Language',
  statuses: { active: 'active', failing: 'failing', disabled: 'disabled' },
  deliveryStatuses: {
    pending: 'pending',
    retrying: 'retrying',
    delivered: 'delivered',
    dead_letter: 'given up',
    cancelled: 'cancelled',
  },
  triggers: { event: 'an event', replay: 'a replay', test: 'a test' },
  errors: {
    timeout: 'No answer in time',
    dns_failure: 'The host name was not found',
    address_not_allowed: 'The address is not allowed',
    connection_failed: 'No connection',
    connection_closed: 'The connection was closed',
    tls_failure: 'The certificate is not valid',
    invalid_response: 'The answer was not HTTP',
  },
} as const;

/** Event types that an endpoint can subscribe to, by their API names. */
export const eventTypes = {
  'session.completed': 'session.completed',
  'session.failed': 'session.failed',
  'session.challenge_detected': 'session.challenge_detected',
  'session.egress_capability_changed': 'session.egress_capability_changed',
  'session.profile_save_failed': 'session.profile_save_failed',
  'api_key.revoked': 'api_key.revoked',
  'crypto.order.paid': 'crypto.order.paid',
  'crypto.order.failed': 'crypto.order.failed',
} as const;

/**
 * Examples that verify a delivery. `body` is the raw request body, `header` the value of `X-Service-Signature`, and `secret`
 * the endpoint's whole secret.
 */
export const examples = {
  Node: `import { verifyWebhook } from 'service/webhooks';

// Throws if the delivery must be ignored: answer it with 400.
const event = verifyWebhook({ body, signature: header, secret });`,
  Python: `import hashlib, hmac, time

def is_signed(body: bytes, header: str, secret: str) -> bool:
    pairs = [pair.split("=", 1) for pair in header.split(",")]
    sent_at = next(value for name, value in pairs if name == "t")
    if abs(time.time() - int(sent_at)) > 300:
        return False
    wanted = hmac.new(secret.encode(), f"{sent_at}.".encode() + body, hashlib.sha256).hexdigest()
    return any(hmac.compare_digest(wanted, value) for name, value in pairs if name == "v1")`,
  Ruby: `require 'openssl'

def signed?(body, header, secret)
  pairs = header.split(',').map { |pair| pair.split('=', 2) }
  sent_at = pairs.to_h['t']
  return false if (Time.now.to_i - Integer(sent_at)).abs > 300
  wanted = OpenSSL::HMAC.hexdigest('SHA256', secret, "#{sent_at}.#{body}")
  pairs.any? { |name, value| name == 'v1' && OpenSSL.secure_compare(wanted, value) }
end`,
  Go: `func isSigned(body []byte, header, secret string) bool {
	var sentAt string
	var signatures []string
	for _, pair := range strings.Split(header, ",") {
		name, value, _ := strings.Cut(pair, "=")
		switch name {
		case "t":
			sentAt = value
		case "v1":
			signatures = append(signatures, value)
		}
	}
	at, err := strconv.ParseInt(sentAt, 10, 64)
	if err != nil || math.Abs(float64(time.Now().Unix()-at)) > 300 {
		return false
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(sentAt + "."))
	mac.Write(body)
	wanted := hex.EncodeToString(mac.Sum(nil))
	return slices.ContainsFunc(signatures, func(one string) bool {
		return hmac.Equal([]byte(one), []byte(wanted))
	})
}`,
  PHP: `function is_signed(string $body, string $header, string $secret): bool {
    $pairs = array_map(fn ($pair) => explode('=', $pair, 2), explode(',', $header));
    $sentAt = array_column($pairs, 1, 0)['t'];
    if (abs(time() - (int) $sentAt) > 300) {
        return false;
    }
    $wanted = hash_hmac('sha256', "$sentAt.$body", $secret);
    foreach ($pairs as [$name, $value]) {
        if ($name === 'v1' && hash_equals($wanted, $value)) {
            return true;
        }
    }
    return false;
}`,
} as const;
