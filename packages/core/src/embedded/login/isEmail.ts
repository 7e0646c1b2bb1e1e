/** Whether a text has the form of an e-mail address. Only a mail shows whether it exists. */
export const isEmail = (text: string): boolean =>
  text.length <= 320 &&
  findWrongCharacter(text) === undefined &&
  /^[^@]+@[^@.]+(\.[^@.]+)+$/u.test(text)

/** The first character that no e-mail address has, or a second @. */
export const findWrongCharacter = (text: string): string | undefined =>
  /[\s\p{C}<>()[\]\\,;:"]/u.exec(text)?.[0] ?? /@[^@]*(@)/.exec(text)?.[1]
