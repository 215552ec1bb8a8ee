import { html, type Markup } from '../../infra/http/html.ts';

/** A part of a mail's text. A string is a paragraph. */
export type Block =
  | string
  | { readonly button: string; readonly link: string }
  /** Labels and values. */
  | { readonly rows: readonly (readonly [label: string, value: string])[] }
  /** Requests to the API, each its method and path. */
  | { readonly requests: readonly string[] };

/** The content of a mail before its layout, unescaped. */
export interface MailPage {
  readonly subject: string;
  /** Shown by mail programs beside the subject: one sentence. */
  readonly preheader: string;
  readonly blocks: readonly Block[];
  /** The footer. */
  readonly footer: readonly (string | { readonly label: string; readonly link: string })[];
}

const lineWidth = 72;

/** Breaks between words; a word that is longer than a line stays whole. */
function wrap(paragraph: string): string {
  const lines: string[] = [];
  for (const word of paragraph.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= lineWidth)
      lines.push(`${lines.pop()} ${word}`);
    else lines.push(word);
  }
  return lines.join('\n');
}

function textOf(block: Block): string {
  if (typeof block === 'string') return wrap(block);
  if ('button' in block) return `${block.button}:\n${block.link}`;
  if ('requests' in block) return block.requests.map((request) => `  ${request}`).join('\n');
  const width = Math.max(...block.rows.map(([label]) => label.length));
  return block.rows.map(([label, value]) => `  ${label.padEnd(width)}  ${value}`).join('\n');
}

/** The text part. A link has a line of its own, however long it is. */
export const layOutText = ({ blocks, footer }: MailPage): string => {
  const small = footer.map((each) =>
    typeof each === 'string' ? wrap(each) : `${each.label}:\n${each.link}`,
  );
  return `${[...blocks.map(textOf), '--', ...small].join('\n\n')}\n`;
};

const font = 'font-family: -apple-system, Segoe UI, Roboto, Helvetica, Arial, sans-serif;';
const mono = 'font-family: Menlo, Consolas, monospace; font-size: 14px; line-height: 20px;';
const breaks = 'overflow-wrap: anywhere; word-break: break-word;';

const paragraph = (text: string): Markup => html`<p style="margin: 0 0 16px; ${breaks}">${text}</p>`;

const button = (label: string, link: string): Markup =>
  html`<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin: 8px 0 16px;">
      <tr>
        <td bgcolor="#1a4fd6" style="border-radius: 6px;">
          <a
            href="${link}"
            style="display: inline-block; padding: 12px 24px; ${font} font-size: 16px; line-height: 24px; font-weight: 600; color: #ffffff; text-decoration: none;"
            >${label}</a
          >
        </td>
      </tr>
    </table>
    <p style="margin: 0 0 16px; font-size: 13px; line-height: 18px; color: #555555;">
      If the button does not work, open this address:<br />
      <a href="${link}" style="color: #1a4fd6; ${breaks}">${link}</a>
    </p>`;

const row = ([label, value]: readonly [string, string]): Markup =>
  html`<tr>
    <td width="1%" style="padding: 4px 16px 4px 0; vertical-align: top; white-space: nowrap; color: #555555;">
      ${label}
    </td>
    <td style="padding: 4px 0; vertical-align: top; ${breaks}">${value}</td>
  </tr>`;

function htmlOf(block: Block): Markup {
  if (typeof block === 'string') return paragraph(block);
  if ('button' in block) return button(block.button, block.link);
  if ('requests' in block)
    return html`<p
      style="margin: 0 0 16px; padding: 8px 12px; background: #f3f4f6; border-radius: 6px; ${mono} ${breaks}"
    >
      ${block.requests.map((request) => html`${request}<br />`)}
    </p>`;
  return html`<table
    role="presentation"
    cellpadding="0"
    cellspacing="0"
    border="0"
    width="100%"
    style="margin: 0 0 16px; ${font} font-size: 15px; line-height: 22px; color: #1c1c1e;"
  >
    ${block.rows.map(row)}
  </table>`;
}

const small = (each: MailPage['footer'][number]): Markup =>
  typeof each === 'string'
    ? html`<p style="margin: 0 0 8px; ${breaks}">${each}</p>`
    : html`<p style="margin: 0 0 8px;"><a href="${each.link}" style="color: #555555;">${each.label}</a></p>`;

const column = ({ subject, blocks, footer }: MailPage): Markup =>
  html`<tr>
      <td align="left" style="${font} font-size: 16px; line-height: 24px; color: #1c1c1e;">
        <h1 style="margin: 0 0 16px; font-size: 22px; line-height: 28px; font-weight: 600; ${breaks}">
          ${subject}
        </h1>
        ${blocks.map(htmlOf)}
      </td>
    </tr>
    <tr>
      <td
        align="left"
        style="padding: 16px 0 0; border-top: 1px solid #d9d9de; ${font} font-size: 13px; line-height: 18px; color: #555555;"
      >
        ${footer.map(small)}
      </td>
    </tr>`;

/**
 * The HTML part: one column of at most 560 px, dark on white, styles inline as mail programs want them, nothing remote.
 */
export const layOutHtml = (page: MailPage): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light" />
        <title>${page.subject}</title>
      </head>
      <body style="margin: 0; padding: 0; background: #ffffff;">
        <div style="display: none; max-height: 0; overflow: hidden; mso-hide: all;">${page.preheader}</div>
        <table
          role="presentation"
          cellpadding="0"
          cellspacing="0"
          border="0"
          width="100%"
          style="background: #ffffff;"
        >
          <tr>
            <td align="center" style="padding: 32px 20px;">
              <table
                role="presentation"
                cellpadding="0"
                cellspacing="0"
                border="0"
                width="100%"
                style="max-width: 560px;"
              >
                ${column(page)}
              </table>
            </td>
          </tr>
        </table>
      </body>
    </html>`.text;
