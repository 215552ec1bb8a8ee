/** Every text of the page of a browser that was handed to a person. */
export const words = {
  title: 'A browser for you',
  text: 'Somebody has asked you to do something in this browser. It opens for you alone.',
  noLink: 'This page needs the link that you were given, which is not there. Open the link again.',
  linkOver: 'This link has been taken back, or is too old. Ask for another one.',
  open: 'Open the browser',
  picture: 'What the browser shows',
  coming: 'Its picture is coming.',
  over: 'The browser is not here any more. You can close this page.',
  agentDrives: 'The agent has the controls. Touch the picture, or take over.',
  youDrive: 'You have the controls.',
  takeOver: 'Take over',
  giveBack: 'Give back',
  typed: 'Text to type',
  type: 'Type',
} as const;
