export { createSmtpMailer, smtpConnections, type SmtpMailer } from './smtp.ts';
export { MailFailure, type Mailer, type OutgoingMail } from './types.ts';
