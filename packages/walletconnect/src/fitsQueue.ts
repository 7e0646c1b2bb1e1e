/**
 * The maximum length of all waiting requests in characters: a browser stores about five million for
 * a whole page.
 */
const maxLength = 500_000

/**
 * Whether one more request may wait for the user. No app may fill the storage that all apps share.
 */
export const fitsQueue = (waiting: readonly unknown[], one: unknown, max: number): boolean =>
  waiting.length < max && JSON.stringify([...waiting, one]).length <= maxLength
