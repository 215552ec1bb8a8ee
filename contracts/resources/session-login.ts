import { Type, closed, oneOf, requestBody, type Static } from '../schema.ts';
import { textForms } from '../text-forms.ts';
import { timeoutMs } from './operation-timeout.ts';
import { Condition } from './session.ts';
import { Selector } from './target.ts';

const value = (maxLength: number) => Type.Optional(Type.String({ minLength: 0, maxLength }));
const selector = Type.Optional(Selector);

export const Login = requestBody({
  url: Type.Optional(Type.String({ minLength: 1, maxLength: 8192 })),
  site: Type.Optional(
    Type.String({
      ...{ minLength: 1, maxLength: 300, pattern: textForms.site.pattern },
      description:
        'Restricts where the fields are typed: only into pages of this host and its subdomains, over https, and into forms that are sent to ' +
        'those. With `http://` in front also over http. On any other page the operation fails.',
    }),
  ),
  fields: Type.Object({ username: value(1000), password: value(1000), otp: value(100) }),
  selectors: Type.Optional(
    Type.Object({ username: selector, password: selector, otp: selector, submit: selector }),
  ),
  success: Type.Optional(Condition),
  timeout_ms: timeoutMs,
});
export const LoginResult = closed({
  status: oneOf(['authenticated', 'needs_input', 'failed']),
  fields: Type.Optional(Type.Array(closed({ name: Type.String(), type: Type.String() }))),
  final_url: Type.String(),
  duration_ms: Type.Integer(),
});

export type Login = Static<typeof Login>;
export type LoginResult = Static<typeof LoginResult>;
