/** The most characters of waiting requests: a browser stores some five million for a whole page. */
const maxLength = 500_000

/**
 * Whether one more request may wait for the user: no app may fill the storage that all of them
 * share.
 */
export const fitsQueue = (waiting: readonly unknown[], one: unknown, max: number): boolean =>
  waiting.length < max && JSON.stringify([...waiting, one]).length <= maxLength
