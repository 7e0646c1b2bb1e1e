// A number of 64 bits is a JSON number, as Solana's nodes write it, and JavaScript's JSON cannot.
const mark = '\u0000n'
const marked = /"\\u0000n(\d+)"/g

/** JSON with big integers as numbers. */
export const toJson = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'bigint' ? `${mark}${each}` : each,
  ).replace(marked, '$1')
