/** Every text of the settings. */
export const words = {
  secondFactor: 'Second factor',
  code: 'Code',
  mfaText: 'Six digits of your authenticator app, or one of your recovery codes.',
  enrol: 'Set up',
  enrolText:
    'Scan this with an authenticator app, or type the secret into it. Then enter the code that it shows.',
  secret: 'Secret',
  recovery: 'Recovery codes',
  recoveryText: 'Each works once, in place of a code of the app.',
  recoveryFile: 'recovery-codes.txt',
  qrCode: 'The secret, to be scanned',
  enrolled: 'This account has a second factor.',
  disable: 'Remove the second factor',
} as const;
