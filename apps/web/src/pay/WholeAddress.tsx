/** A whole address, for people to compare: in groups of which the first and the last stand out. */
export function WholeAddress({ address }: { address: string }) {
  // A prefix belongs to the first group.
  const groups = address.match(/^0x.{4}|.{1,4}/g) ?? []
  return (
    <bdi className="wholeAddress" dir="ltr" translate="no">
      {groups.map((group, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the groups of an address never move
        <span key={index} data-end={index === 0 || index === groups.length - 1 || undefined}>
          {group}
        </span>
      ))}
    </bdi>
  )
}
