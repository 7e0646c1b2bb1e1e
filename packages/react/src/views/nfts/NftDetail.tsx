import { type NftRef, pushView } from '@latchkey/core/internal'
import type { NftDetail as Detail } from '@latchkey/wire'
import { useQuery } from '@tanstack/react-query'
import { nftQuery } from '../../app/queries/nftQueries.ts'
import { getQueryClient } from '../../app/queries/queries.ts'
import { useApp } from '../../app/useApp.ts'
import { useAppCapabilities } from '../../app/useAppCapabilities.ts'
import { useAccount } from '../../hooks/useAccount.ts'
import { useNetwork } from '../../hooks/useNetwork.ts'
import { enHoldings } from '../../locales/enHoldings.ts'
import { useT } from '../../locales/useT.ts'
import { Button } from '../../parts/Button.tsx'
import { Icon } from '../../parts/Icon.tsx'
import { FactRow, LinkRow } from '../../parts/Row.tsx'
import { CopyRow } from '../detail/CopyRow.tsx'
import detail from '../detail/detail.module.css'
import type { ViewProps } from '../viewProps.ts'
import styles from './NftDetail.module.css'
import { NftPicture } from './NftPicture.tsx'
import { NftUnknown } from './NftUnknown.tsx'
import { nftName } from './nftText.ts'

/** An NFT: its picture, its metadata, and how to send it. */
export function NftDetail({ view: { nft } }: ViewProps<'NftDetail'>) {
  const app = useApp()
  const t = useT(enHoldings)
  const { address } = useAccount()
  const query = useQuery(nftQuery(app, { nft, owner: address }), getQueryClient(app))
  const { data } = query
  if (data === undefined) return <NftUnknown query={query} />
  const { description, attributes, collection, isSpam } = data
  return (
    <div className={detail.view}>
      <NftPicture nft={data} whole />
      <div className={styles.who}>
        <h3>
          <bdi translate="no">{nftName(data)}</bdi>
        </h3>
        <p className={detail.quiet}>
          <bdi translate="no">{collection.name ?? collection.symbol}</bdi>
        </p>
      </div>
      {isSpam && (
        <p className={styles.warning} data-tone="danger">
          {t('nft.spam')}
        </p>
      )}
      <SendOne nft={nft} quantity={data.quantity} />
      {data.metadata === 'pending' && <p className={detail.quiet}>{t('nft.pending')}</p>}
      {data.metadata === 'failed' && <p className={detail.quiet}>{t('nft.metadataFailed')}</p>}
      {description && (
        <p className={styles.text}>
          <bdi translate="no">{description}</bdi>
        </p>
      )}
      {attributes.length > 0 && (
        <dl className={styles.attributes} aria-label={t('nft.attributes')}>
          {eachOnce(attributes).map(({ name, value }) => (
            <div key={`${name} ${value}`}>
              <dt>
                <bdi translate="no">{name}</bdi>
              </dt>
              <dd>
                <bdi translate="no">{value}</bdi>
              </dd>
            </div>
          ))}
        </dl>
      )}
      <Facts nft={nft} data={data} />
    </div>
  )
}

function SendOne({ nft, quantity }: { nft: NftRef; quantity: string }) {
  const app = useApp()
  const t = useT(enHoldings)
  const { network, networks } = useNetwork()
  const { status } = useAccount()
  const capabilities = useAppCapabilities(nft.chainId)
  const home = networks.find(({ caipNetworkId }) => caipNetworkId === nft.chainId)
  if (!capabilities.send) return null
  if (quantity === '0') return <p className={styles.warning}>{t('nft.notHeld')}</p>
  if (network.caipNetworkId !== nft.chainId) {
    return (
      <p className={styles.warning}>
        {t('nft.otherNetwork', { network: home?.name ?? nft.chainId })}
      </p>
    )
  }
  return (
    <Button
      icon="send"
      aria-disabled={status !== 'connected' || undefined}
      onClick={() => status === 'connected' && pushView(app, { name: 'SendNft', nft })}
    >
      {t('account.send')}
    </Button>
  )
}

function Facts({ nft, data }: { nft: NftRef; data: Detail }) {
  const t = useT(enHoldings)
  const { networks } = useNetwork()
  const network = networks.find(({ caipNetworkId }) => caipNetworkId === nft.chainId)
  const { contract, tokenId } = nft
  // The path that all explorers share; explorers that support `a` show this NFT, the others its
  // contract.
  const explorer =
    network?.blockExplorer && `${network.blockExplorer.url}/token/${contract}?a=${tokenId}`
  return (
    <div className={detail.rows}>
      {data.standard === 'erc1155' && (
        <FactRow label={t('nft.held')} end={<span>{data.quantity}</span>} />
      )}
      <CopyRow label={t('nft.contract')} text={contract} />
      <CopyRow label={t('nft.tokenId')} text={tokenId} shortText={shortId(tokenId)} />
      {explorer && /^https:\/\//.test(explorer) && (
        <LinkRow
          href={explorer}
          label={t('confirmed.view')}
          end={<Icon name="external" size={16} />}
        />
      )}
    </div>
  )
}

/** A contract may have duplicate attributes. */
const eachOnce = (attributes: Detail['attributes']) => [
  ...new Map(attributes.map((each) => [`${each.name} ${each.value}`, each])).values(),
]

const shortId = (id: string) => (id.length > 16 ? `${id.slice(0, 6)}…${id.slice(-6)}` : id)
