import { Type, closed, oneOf, requestBody } from '../schema.ts';
import { idSchema } from '../ids.ts';

export const minPasswordLength = 12;
export const maxPasswordBytes = 1024;

const Email = Type.String({ minLength: 3, maxLength: 320, description: 'Case is ignored.' });
/** A new password. */
const NewPassword = Type.String({
  minLength: minPasswordLength,
  maxLength: maxPasswordBytes,
  description: `At least ${minPasswordLength} characters, at most ${maxPasswordBytes} bytes, and not one of the most common passwords.`,
});
/** A password to check. */
const Password = Type.String({ maxLength: maxPasswordBytes });
const Token = Type.String({ description: 'From the link in the mail. It works once.' });

export const SignUp = requestBody({
  email: Email,
  password: NewPassword,
  legal_revision: Type.String({
    minLength: 1,
    maxLength: 100,
    description: 'The revision of the terms that is accepted.',
  }),
});
export const SignedUp = closed({
  account_id: idSchema('account'),
  verification_required: Type.Literal(true),
});

export const TokenBody = requestBody({ token: Token });
export const EmailBody = requestBody({ email: Email });
export const Login = requestBody({ email: Email, password: Password });
export const ConfirmPasswordReset = requestBody({ token: Token, password: NewPassword });

/** Default: the refresh cookie. */
export const RefreshBody = requestBody({ refresh_token: Type.Optional(Token) });

export const SignedInTokens = closed({
  access_token: Type.String({ description: 'For `Authorization: Bearer`.' }),
  refresh_token: Type.String({ description: 'For `POST /v1/auth/refresh`. It works once.' }),
  expires_in: Type.Integer({ minimum: 1, description: 'Lifetime of the access token, in seconds.' }),
  mfa_enrolled: Type.Boolean({ description: 'Whether the account has a second factor.' }),
});
/** The first factor was right; a code of the second factor is required. */
export const MfaRequired = closed({
  mfa_required: Type.Literal(true),
  mfa_token: Type.String({ description: 'For `POST /v1/auth/mfa/login`, with a code.' }),
});
export const SignedIn = Type.Union([SignedInTokens, MfaRequired]);

const statusOf = <const S extends string>(status: S) => closed({ status: oneOf([status]) });
export const Accepted = statusOf('accepted');
export const Verified = statusOf('verified');
export const PasswordReset = statusOf('password_reset');
export const Confirmed = statusOf('confirmed');
