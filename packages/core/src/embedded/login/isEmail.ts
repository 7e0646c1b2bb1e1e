/**
 * Whether a string has the form of an email address. Only sending an email shows whether the
 * address exists.
 */
export const isEmail = (text: string): boolean =>
  text.length <= 320 &&
  findWrongCharacter(text) === undefined &&
  /^[^@]+@[^@.]+(\.[^@.]+)+$/u.test(text)

/** The first character that is invalid in an email address, or a second @. */
export const findWrongCharacter = (text: string): string | undefined =>
  /[\s\p{C}<>()[\]\\,;:"]/u.exec(text)?.[0] ?? /@[^@]*(@)/.exec(text)?.[1]
