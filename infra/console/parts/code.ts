/** A code as the service takes it: apps show its digits in groups. */
export const codeIn = (typed: string): string => typed.replaceAll(/\s/g, '');
