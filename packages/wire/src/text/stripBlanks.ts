/**
 * Removes spaces, and the invisible characters that copying adds, from an address or a name. Keeps
 * U+202E, which reverses the rest: people saw another address, which must be refused.
 */
export const stripBlanks = (text: string): string =>
  text.replace(/[\s\u200b-\u200f\u202a-\u202d\u2060\u2066-\u2069]/g, '')
