/**
 * Whether the message of a node's error refuses a JSON-RPC batch because of its size, or because it
 * is a batch.
 */
export const refusesBatch = (text: string): boolean =>
  /\bbatch/i.test(text) &&
  /limit|large|size|exceed|max|more than|too many|only|up to|at most|allow|support|abled|accept|permit/i.test(
    text,
  ) &&
  // A contract chooses the message of its error.
  !/revert/i.test(text)

/**
 * The size of the next batch after a node refused a batch of `sent` calls, two or more: half, or
 * the limit in the node's error if that is smaller. At least halving bounds the number of attempts,
 * because an error can repeat numbers that a client chose.
 */
export function getSmallerBatch(text: string, sent: number): number {
  const half = Math.floor(sent / 2)
  const numbers = [...text.matchAll(/\d+/g)].map(Number).filter((one) => one >= 1 && one <= half)
  return refusesBatch(text) && numbers.length > 0 ? Math.max(...numbers) : half
}
