/** Every text of the page that a shared live-view link opens. */
export const words = {
  live: 'A phone',
  handed: 'Somebody shares a phone with you. You can see what happens on it.',
  show: 'Show the phone',
  noLink: 'This page needs the complete link.',
  over: 'This link has expired or is not valid.',
  until: 'The link is valid until',
} as const;
