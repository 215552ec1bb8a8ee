export { queueNotice, type NoticePorts } from './notices.ts';
export { sendMail, type SendPorts } from './send.ts';
export { mailText, type FactName, type MailText } from './templates.ts';
export { mailOfWakeUp, wakeUpIdOf } from './wake-up-id.ts';
