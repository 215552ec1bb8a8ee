import { markedSecrets } from './secret-forms.ts';

/** The formats of text in requests: each with its pattern, and the error message for other texts. */
export const textForms = {
  notBlank: { pattern: '\\S', rule: 'must not be blank' },
  visibleCharacters: {
    pattern: '^[\\x21-\\x7e]{1,255}$',
    rule: 'must be 1 to 255 visible ASCII characters',
  },
  site: {
    pattern: '^(https?://)?([A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+\\])$',
    rule: 'must be the name or the address of a host, without a port or a path, optionally with http:// in front',
  },
  host: { pattern: '^[A-Za-z0-9._:-]+$', rule: 'must be the name or the address of a host' },
  proxyUser: {
    pattern: '^[!-9;-~]+$',
    rule: 'must consist of visible ASCII characters other than the colon',
  },
  proxyPassword: { pattern: '^[!-~]+$', rule: 'must consist of visible ASCII characters' },
  payCurrency: { pattern: '^[a-z0-9]{2,20}$', rule: 'must be the code of a currency, like btc' },
  month: { pattern: '^[0-9]{4}-(0[1-9]|1[0-2])$', rule: 'must be a month, like 2026-01' },
  ariaRole: { pattern: '^[A-Za-z]+$', rule: 'must be an ARIA role, like button' },
  elementRef: { pattern: '^e[0-9]+$', rule: 'must be the ref of an observed element, like e12' },
  base64: { pattern: '^[A-Za-z0-9+/]*={0,2}$', rule: 'must be base64' },
  profileOrigin: {
    pattern: '^(prof|psnap)_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
    rule: 'must be prof_<uuid> or psnap_<uuid>',
  },
  tabId: { pattern: '^tab_[0-9a-f-]{36}$', rule: 'must be tab_<uuid>' },
  modelKey: {
    pattern: `^${markedSecrets.modelKey.marker}[A-Za-z0-9_-]+$`,
    rule: 'must be a key of the model provider, which starts with sk-ant-',
  },
  moment: {
    pattern:
      '^([0-9]{1,18}/[0-9]{1,18}|[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{1,9})?(Z|[+-][0-9]{2}:[0-9]{2}))$',
    rule: 'must be a time with its offset, like 2026-01-31T09:30:00Z, or a position, like 1234/1234',
  },
  variableName: {
    pattern: '^[A-Za-z][A-Za-z0-9_]{0,63}$',
    rule: 'must be letters, digits and underscores, at most 64 of them, and begin with a letter',
  },
  oneTimeCode: { pattern: '^[0-9]{6}$', rule: 'must be six digits' },
} as const satisfies Record<string, { readonly pattern: string; readonly rule: string }>;
