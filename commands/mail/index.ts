export { linkTemplates, type MailContent, type SubscriberMailToQueue } from './facts.ts';
export {
  consoleLinks,
  subscriberPaths,
  unsubscribePath,
  type ConsoleLink,
  type ConsolePage,
  type SubscriberLink,
} from './links.ts';
export { mailIdOf, queueMail, queueSubscriberMail, type QueuePorts } from './queue.ts';
export {
  oncePerAccount,
  queueOptionalMail,
  unsubscribeLinkOf,
  type OptionalMailPorts,
  type UnsubscribeLink,
} from './optional.ts';
export { renderMail } from './render.ts';
export { sampleMail, sampleSubscriberLink, sampleSubscriber, sampleUnsubscribeLink } from './samples.ts';
export { openMail } from './sealing.ts';
export { mailOfWakeUp, sendMail, wakeUpIdOf, type SendPorts } from './send.ts';
export { queueNotice, type NoticePorts } from './webhook-notices.ts';
