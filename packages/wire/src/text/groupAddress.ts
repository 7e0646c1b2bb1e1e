/**
 * Splits an address into groups of four characters, so that people can compare it. A prefix such as
 * `0x` belongs to the first group.
 */
export function groupAddress(address: string): { text: string; isEnd: boolean }[] {
  const groups = address.match(/^0x.{4}|.{1,4}/g) ?? []
  return groups.map((text, index) => ({ text, isEnd: index === 0 || index === groups.length - 1 }))
}
