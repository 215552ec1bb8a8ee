import { isVisible } from './dom.ts';
import { isDisabled } from './states.ts';
import { allBySelector, hold, releaseAll } from './targets.ts';

export interface LoginSelectors {
  readonly username?: string;
  readonly password?: string;
  readonly otp?: string;
  readonly submit?: string;
}

const secretFields = 'input[type="password"]';
const codeFields =
  'input[autocomplete="one-time-code"], input[name*="otp" i], input[name*="code" i], input[id*="otp" i]';
const nameFields =
  'input[autocomplete~="username"], input[type="email"], input[name*="user" i], input[name*="email" i], ' +
  'input[name*="login" i], form:has(input[type="password"]) input[type="text"]';
const submits = 'button[type="submit"], input[type="submit"], button:not([type])';

const usable = (selector: string, scope?: ParentNode): Element | undefined =>
  allBySelector(selector, scope).find((element) => isVisible(element) && !isDisabled(element));

/** The visible fields of a sign-in form, and its submit button. */
export function loginForm({ username, password, otp, submit }: LoginSelectors) {
  releaseAll();
  const secret = usable(password ?? secretFields);
  const code = usable(otp ?? codeFields);
  const name = usable(username ?? nameFields);
  const form = (secret ?? code ?? name)?.closest('form') ?? document;
  const button = submit === undefined ? allBySelector(submits, form).find(isVisible) : usable(submit);
  return {
    username: described(name === code ? undefined : name),
    password: described(secret),
    otp: described(code),
    submit: button ? hold(button) : null,
  };
}

const described = (element: Element | undefined) =>
  element
    ? { handle: hold(element), type: element instanceof HTMLInputElement ? element.type : 'text' }
    : null;
