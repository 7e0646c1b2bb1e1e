import { isError } from '@latchkey/wire'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { transactionQuery } from '../../app/queries/accountQueries.ts'
import { getQueryClient } from '../../app/queries/queries.ts'
import { dropSwap } from '../../app/queries/swapQueries.ts'
import { useApp } from '../../app/useApp.ts'
import { useAccount } from '../../hooks/useAccount.ts'
import { useNetwork } from '../../hooks/useNetwork.ts'
import { enSwap } from '../../locales/enSwap.ts'
import { useT } from '../../locales/useT.ts'
import { TransactionStatus } from '../send/SendConfirmed.tsx'
import type { ViewProps } from '../viewProps.ts'
import { SwappedFacts } from './SwappedFacts.tsx'

/** A swap that the wallet has accepted; it is stored until its outcome is shown here. */
export function SwapConfirmed({ view: { hash, swapped } }: ViewProps<'SwapConfirmed'>) {
  const app = useApp()
  const t = useT(enSwap)
  const { caipNetworkId: chainId } = useNetwork().network
  const { address } = useAccount()
  const { data, error } = useQuery(
    transactionQuery(app, { hash, chainId, address }),
    getQueryClient(app),
  )
  const hasEnded =
    (data !== undefined && data.status !== 'unknown') || isError(error, 'TRANSACTION_EXPIRED')
  const status = !hasEnded ? 'waiting' : data?.status === 'success' ? 'done' : 'failed'
  useEffect(() => {
    if (hasEnded) void dropSwap(app, { id: hash })
  }, [app, hash, hasEnded])
  return (
    <TransactionStatus hash={hash} text={(key) => t(`swapped.${key}`)}>
      {swapped && <SwappedFacts swapped={swapped} status={status} />}
    </TransactionStatus>
  )
}
