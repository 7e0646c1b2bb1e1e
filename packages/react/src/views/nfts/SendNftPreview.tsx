import { goBack, type SendParameters } from '@latchkey/core/internal'
import { isError, type NftDetail } from '@latchkey/wire'
import { useQuery } from '@tanstack/react-query'
import { nftQuery } from '../../app/queries/nftQueries.ts'
import { getQueryClient } from '../../app/queries/queries.ts'
import { useApp } from '../../app/useApp.ts'
import { useErrorMessage } from '../../errors/errorMessage.ts'
import { useAccount } from '../../hooks/useAccount.ts'
import { useBalances } from '../../hooks/useBalances.ts'
import { useNetwork } from '../../hooks/useNetwork.ts'
import { enHoldings } from '../../locales/enHoldings.ts'
import { useT } from '../../locales/useT.ts'
import { Button } from '../../parts/Button.tsx'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { SendQuestion } from '../review/SendQuestion.tsx'
import styles from '../send/SendPreview.module.css'
import { SendReview } from '../send/SendReview.tsx'
import type { ViewProps } from '../viewProps.ts'
import { NftPicture } from './NftPicture.tsx'
import { NftUnknown } from './NftUnknown.tsx'
import { nftName } from './nftText.ts'
import sheet from './SendNft.module.css'

/** The review of sending an NFT: the NFT, the receiver, the network and the cost. */
export function SendNftPreview({ view }: ViewProps<'SendNftPreview'>) {
  const app = useApp()
  const getMessage = useErrorMessage()
  const t = useT(enHoldings)
  const { nft, receiver, amount } = view
  const { address } = useAccount()
  const { network } = useNetwork()
  const { data: balances } = useBalances()
  const query = useQuery(nftQuery(app, { nft, owner: address }), getQueryClient(app))
  const { data } = query
  if (network.caipNetworkId !== nft.chainId || address === undefined) {
    return (
      <EmptyState
        icon="alert"
        title={t('preview.incomplete')}
        action={<Button onClick={() => goBack(app)}>{t('preview.backToForm')}</Button>}
      />
    )
  }
  if (data === undefined) return <NftUnknown query={query} />
  const explain = (error: unknown) => {
    if (isError(error, 'INSUFFICIENT_FUNDS')) return t('nft.notHeld')
    if (isError(error, 'RPC_FAILED')) return t('nft.refused')
    return getMessage(error)
  }
  const question = (
    <SendQuestion
      asset={
        <>
          {data.standard === 'erc1155' && <span translate="no">{`${amount} × `}</span>}
          <bdi translate="no">{nftName(data)}</bdi>
        </>
      }
      receiver={receiver}
      picture={
        <span className={sheet.small}>
          <NftPicture nft={data} />
        </span>
      }
    >
      <p className={styles.label}>
        <bdi translate="no">{data.collection.name ?? data.collection.symbol}</bdi>
      </p>
    </SendQuestion>
  )
  return (
    <SendReview
      view={view}
      question={question}
      sending={toSendParameters(view, data)}
      receiver={receiver}
      from={address}
      balances={balances ?? []}
      explain={explain}
      nftName={nftName(data)}
    />
  )
}

/** The parameters for core to send an NFT: its contract's token without decimals. */
const toSendParameters = (
  { nft, receiver, amount }: ViewProps<'SendNftPreview'>['view'],
  detail: NftDetail,
): SendParameters => ({
  to: receiver.address,
  amount: detail.standard === 'erc721' ? '1' : amount,
  token: {
    address: nft.contract,
    symbol: detail.collection.symbol ?? '',
    decimals: 0,
    nft: { standard: detail.standard, tokenId: nft.tokenId },
  },
})
