/** The intrinsic gas of a transaction, including its bytes: the highest amount of all rules. */
export function getIntrinsicGas(data: string): bigint {
  const { zeros, others } = countBytes(data)
  return 21_000n + zeros * 4n + others * 16n
}

/**
 * As {@link getIntrinsicGas}, with the floor price of bytes, for transactions that mostly carry
 * data (EIP-7623).
 */
export function getFloorGas(data: string): bigint {
  const { zeros, others } = countBytes(data)
  return 21_000n + zeros * 10n + others * 40n
}

/** Bytes that are zero, and others. */
export function countBytes(data: string): { zeros: bigint; others: bigint } {
  let zeros = 0n
  for (let at = 2; at < data.length; at += 2) if (data[at] === '0' && data[at + 1] === '0') zeros++
  return { zeros, others: BigInt(data.length / 2 - 1) - zeros }
}
