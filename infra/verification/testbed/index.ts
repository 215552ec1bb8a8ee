export { afterTest } from './after-test.ts';
export { startCardStandIn, type CardStandIn } from '../../payments/card/stand-in/index.ts';
export {
  startCryptoProcessor,
  type CryptoProcessor,
  type StoredPayment,
} from '../../crypto-payments/stand-in/crypto-processor.ts';
export { certificate, privateKey } from './certificate.ts';
export { needsEmbeddedStore, startEventLog, type TestEventLog } from './event-log.ts';
export { startFaultyStack, type FaultyStack, type FaultyStackOptions } from './faulty-stack.ts';
export { gate, type Gate } from './gate.ts';
export { freshDatabase, type TestDatabase } from './postgres.ts';
export { startConnectProxy, startSocksProxy, type TestProxy, type TestProxyOptions } from './proxies.ts';
export {
  answerNothing,
  answerWith,
  reset,
  startReceivers,
  type Answer,
  type ReceivedMessage,
  type TestReceivers,
} from './receivers.ts';
export { startMisbehavingServer, type MisbehavingServer } from './misbehaving-server.ts';
export { startOtlpReceiver, type OtlpReceiver, type ReceivedSpan } from './otlp-receiver.ts';
export { startRedis, type TestRedis } from './redis.ts';
export { shared, type Shared } from './shared.ts';
export { startSmtpServer, type ReceivedMail, type TestSmtpServer } from './smtp.ts';
export type { LinkName } from './stack-links.ts';
export { startStack, type NewAccount, type StackOptions, type TestStack } from './stack.ts';
export { startS3, type TestS3 } from './swift.ts';
export { startTcpProxy, type Address, type TcpProxy } from './tcp-proxy.ts';
export { tempDir } from './temp-dir.ts';
export { until, untilNoneLeft, type UntilOptions } from './until.ts';
