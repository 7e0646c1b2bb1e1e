import { groupAddress } from '@latchkey/wire'

/** A whole address, for people to compare: in groups of which the first and the last stand out. */
export const WholeAddress = ({ address }: { address: string }) => (
  <bdi className="wholeAddress" dir="ltr" translate="no">
    {groupAddress(address).map(({ text, isEnd }, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the groups of an address never move
      <span key={index} data-end={isEnd || undefined}>
        {text}
      </span>
    ))}
  </bdi>
)
