/** Instructions beyond the descriptions of the tools. */
export const reference = `# Using the browser tools

A browser is mobile Safari (390 by 844 points). It ends 10 minutes after its last use; with keep, an hour.

## Naming an element
One of: ref (from look or act; valid until the page is left), role with name, label (of a field), text (what it shows; not for type), placeholder, test_id, selector (CSS; >>> goes into shadow trees).
frame: the selector of the frame that it is in, or several from the outermost on; a ref needs none. A ref that is no longer valid is a failure: look again.

## Actions of act
| kind | takes, beside the element |
|---|---|
| tap, double_tap, long_press | or x, y; long_press: duration_ms |
| type | text; clear: true replaces what is there; sensitive: true stores it nowhere |
| press | key such as Enter, Tab, Backspace, ArrowDown, a; modifiers: cmd, ctrl, shift, option. Without an element: where the focus is |
| clear, focus | |
| select | values (or what the options show), or indexes from 0 |
| check | checked: true or false |
| scroll | direction up, down, left, right and amount in pixels; with an element: within it |
| swipe | x1, y1, x2, y2, duration_ms |
| pinch | scale; or x, y |
| drag | from and to, each an element or x, y |
| upload | files: [{name, mime, data_base64}] |
| activate_tab, close_tab | tab_id |
| go | url |
| back, forward | |
| wait | ms (60,000 at most), or condition, with timeout_ms |

Actions wait for their element. confirm and prompt dialogs are dismissed, alerts accepted; both are reported in the answer.

## Conditions of wait
{"kind":"selector", an element, "state":"visible|attached|hidden|detached"}, {"kind":"text","text":"…"}, {"kind":"url","pattern":"**/done"} (or /regular expression/), {"kind":"load_state","state":"load|domcontentloaded|networkidle"}.

## extract
A JSON Schema of type object, array, string, number, integer or boolean. x-selector is a CSS selector (within the item, for items of an array), x-attribute the attribute to read. A property without x-selector is found by its name.
{"type":"array","x-selector":"li.item","items":{"type":"object","properties":{"title":{"type":"string","x-selector":"h3"},"link":{"type":"string","x-selector":"a","x-attribute":"href"}}}}

## Signing in
sign_in with the name of a secret that the server was configured with (over stdio: SERVICE_SECRET_<NAME>), or with the profile that the browser was opened with. If neither works, hand_over.

## Errands
With ask_agent a model of the service looks and acts by itself. A turn continues whether or not anybody waits for it. run_recipe repeats saved steps with other parameters.

## Resources
service://browsers/{session}/page.png, .pdf, .html: the page, captured when it is read. service://browsers/{session}/files/{name}: a download. service://transcripts/{agent}: the messages of an agent session.
`;
