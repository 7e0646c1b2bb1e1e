import type { NftRef } from '@latchkey/core'
import { truncateAddress } from '@latchkey/core/internal'
import type { Nft } from '@latchkey/wire'
import { useId } from 'react'
import { enHoldings } from '../../locales/enHoldings.ts'
import { useT } from '../../locales/useT.ts'
import styles from './CollectionStrip.module.css'
import { NftCard } from './NftCard.tsx'
import cards from './Nfts.module.css'
import { nftRef } from './nftText.ts'

/** NFTs in a row that scrolls sideways, by collection, with the number of each. */
export function CollectionStrip({
  nfts,
  hasMore,
  onChoose,
}: {
  nfts: readonly Nft[]
  /** Whether the numbers are incomplete. */
  hasMore: boolean
  onChoose: (nft: NftRef) => void
}) {
  const t = useT(enHoldings)
  return (
    <ul className={styles.strip} aria-label={t('nft.list')}>
      {groupByContract(nfts).map((group) => (
        <Collection
          key={group[0].address}
          nfts={group}
          count={`${group.length}${hasMore ? '+' : ''}`}
          onChoose={onChoose}
        />
      ))}
    </ul>
  )
}

function Collection({
  nfts,
  count,
  onChoose,
}: {
  nfts: Group
  count: string
  onChoose: (nft: NftRef) => void
}) {
  const id = useId()
  const [{ collection }] = nfts
  const name = collection.name ?? collection.symbol ?? truncateAddress(nftRef(nfts[0]).contract)
  return (
    <li className={styles.group}>
      <h3 id={id} className={styles.title} title={name}>
        <bdi translate="no" className={styles.collection}>
          {name}
        </bdi>{' '}
        <span className={styles.count}>{count}</span>
      </h3>
      <ul className={styles.row} aria-labelledby={id}>
        {nfts.map((nft) => (
          <li key={nft.tokenId} className={styles.place}>
            <NftCard nft={nft} isGrouped onChoose={onChoose} />
          </li>
        ))}
      </ul>
    </li>
  )
}

type Group = readonly [Nft, ...Nft[]]

/** The NFTs of each contract, in their order. */
function groupByContract(nfts: readonly Nft[]): Group[] {
  const groups = new Map<string, [Nft, ...Nft[]]>()
  for (const nft of nfts) {
    const group = groups.get(nft.address)
    if (group) group.push(nft)
    else groups.set(nft.address, [nft])
  }
  return [...groups.values()]
}

/** The strip in its final size while it loads. */
export const SkeletonStrip = ({ label }: { label: string }) => (
  <div className={styles.strip} data-waits="" role="status" aria-label={label}>
    <div className={styles.group} aria-hidden="true">
      <span className={cards.wait} data-part="title" />
      <div className={styles.row}>
        {[1, 2, 3, 4, 5].map((number) => (
          <span key={number} className={styles.place}>
            <span className={cards.wait} data-part="picture" />
            <span className={cards.wait} data-part="line" />
          </span>
        ))}
      </div>
    </div>
  </div>
)
