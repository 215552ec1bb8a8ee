import { Type, Timestamp, closed, requestBody } from '../schema.ts';
import { textForms } from '../text-forms.ts';

const sixDigits = Type.String({
  pattern: textForms.oneTimeCode.pattern,
  description: 'Six digits, from the authenticator app.',
});
const anyCode = Type.String({
  minLength: 6,
  maxLength: 64,
  description: 'Six digits, from the authenticator app; or a recovery code.',
});

export const MfaCode = requestBody({ code: sixDigits });
export const MfaDisableCode = requestBody({ code: anyCode });
export const MfaLogin = requestBody({
  mfa_token: Type.String({
    minLength: 1,
    maxLength: 2048,
    description: 'From the answer to the first factor.',
  }),
  code: anyCode,
});

export const MfaEnrolment = closed({
  secret: Type.String({ description: 'In base 32, for an app that cannot read the URI.' }),
  otpauth_uri: Type.String({ description: 'For a QR code.' }),
});
export const MfaRecoveryCodes = closed({
  recovery_codes: Type.Array(Type.String(), {
    description: 'Each signs in once, in place of a code of the app. They are shown only once.',
  }),
});
export const MfaFreshness = closed({ fresh_until: Timestamp });
