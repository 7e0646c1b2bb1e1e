/** A `uint256` as a contract returned it, or undefined when that is not exactly one word. */
export const readUint = (data: `0x${string}` | undefined): bigint | undefined =>
  data !== undefined && /^0x[0-9a-fA-F]{64}$/.test(data) ? BigInt(data) : undefined
