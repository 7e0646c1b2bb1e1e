const zeros = '0'.repeat(24)

/**
 * Lists the EVM addresses in a string: written addresses and, if the string is calldata, the words
 * that can be addresses. Includes words of nested calls, which begin at any byte.
 */
export function listAddresses(text: string): string[] {
  const written = text.match(/0x[0-9a-f]{40}(?![0-9a-f])/gi) ?? []
  if (!/^0x[0-9a-f]{72,}$/i.test(text)) return [...new Set(written)]
  const words = text.slice(10).match(/.{64}/g) ?? []
  const found = [
    ...words.flatMap((word) => (word.startsWith(zeros) ? word.slice(24) : [])),
    ...[...text.matchAll(/0{24}(?=[1-9a-f][0-9a-f]{39})(?=(.{40}))/gi)].map(
      ([, address = '']) => address,
    ),
  ]
  return [...new Set(found.map((address) => `0x${address}`))]
}
