export { createSmtpMailer, smtpConnections, type SmtpMailer, type SmtpOptions } from './smtp.ts';
export { MailFailure, type Mailer, type MailFailureReason, type OutgoingMail } from './types.ts';
