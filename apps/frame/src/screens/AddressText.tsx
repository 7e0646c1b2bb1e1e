/** A whole address in groups of four, its ends stressed: what is compared by eye must be readable. */
export function AddressText({ address }: { address: string }) {
  const groups = address.match(/^0x.{4}|.{1,4}/g) ?? []
  return (
    <bdi className="address">
      {groups.map((group, index) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: fixed order
          key={index}
          data-end={index === 0 || index === groups.length - 1}
        >
          {group}
        </span>
      ))}
    </bdi>
  )
}
