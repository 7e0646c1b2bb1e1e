/** Characters of what waits at most: a browser keeps some five million for all of a page. */
const maxLength = 500_000

/** Whether one more may wait for a person beside what does: no app fills the storage of all. */
export const hasRoom = (waiting: readonly unknown[], one: unknown, max: number): boolean =>
  waiting.length < max && JSON.stringify([...waiting, one]).length <= maxLength
