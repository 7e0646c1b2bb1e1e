import { groupAddress } from '@latchkey/wire'
import styles from './AddressGroups.module.css'

/** A whole address in groups of four with its ends highlighted, to compare by eye. */
export const AddressGroups = ({ address }: { address: string }) => (
  <bdi className={styles.address} dir="ltr" translate="no">
    {groupAddress(address).map(({ text, isEnd }, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: fixed order
      <span key={index} data-end={isEnd || undefined}>
        {text}
      </span>
    ))}
  </bdi>
)
