/** Characters kept at an address's start and end. */
const ends = { leading: 4, trailing: 6 } as const

/**
 * An address in short form, for example `0x12…abcdef`. A string that would not get shorter is
 * returned unchanged.
 */
export function truncateAddress(address: string) {
  const { leading, trailing } = ends
  if (address.length <= leading + trailing + 1) return address
  return `${address.slice(0, leading)}…${address.slice(-trailing)}`
}
