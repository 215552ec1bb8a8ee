/** Every text of the page that a shared live-view link opens. */
export const words = {
  live: 'A phone',
  handed: 'You have been given a link to a phone that somebody shares. What they do on it can be seen.',
  show: 'Show the phone',
  noLink: 'This page needs the whole link that you were given.',
  over: 'This link is no longer good, or never was.',
  until: 'The link is good until',
} as const;
