import { readConfirmations } from '@latchkey/core/internal'
import type { Namespace } from '@latchkey/wire'
import { useQuery } from '@tanstack/react-query'
import { getQueryClient } from '../../app/queries/queries.ts'
import { useApp } from '../../app/useApp.ts'
import { useAccount } from '../../hooks/useAccount.ts'
import { enConfirmations } from '../../locales/review/enConfirmations.ts'
import { useT } from '../../locales/useT.ts'

/** The polling interval of pending proposals. */
const LOOK_MS = 3_000

/**
 * Shows who has to confirm a request that waits for the owners of an account: how many, who is
 * missing, and whose turn it is.
 */
export function ConfirmationsHint({ namespace }: { namespace: Namespace | undefined }) {
  const app = useApp()
  const { connector, caipAddress } = useAccount({ namespace })
  const name = connector?.name ?? ''
  const t = useT(enConfirmations)
  const { data } = useQuery(
    {
      queryKey: ['latchkey', 'confirmations', caipAddress],
      queryFn: () => readConfirmations(app, { namespace }),
      refetchInterval: LOOK_MS,
      gcTime: 0,
      retry: false,
    },
    getQueryClient(app),
  )
  const { proposal } = data ?? {}
  const left = proposal && proposal.required - proposal.confirmed
  return (
    <>
      <span>{t('confirmations.text', { name })}</span>
      {data && (
        <span>
          {proposal
            ? t('confirmations.confirmed', proposal)
            : t('confirmations.threshold', {
                threshold: String(data.threshold),
                owners: data.owners,
              })}
        </span>
      )}
      {left !== undefined && (
        <span>
          {left > 0
            ? t('confirmations.left', { count: left })
            : t('confirmations.enough', { name })}
        </span>
      )}
      {data && proposal && (
        <span>
          {t(getTurn(data.nextNonce, proposal.nonce), {
            nonce: String(proposal.nonce),
            next: String(data.nextNonce),
          })}
        </span>
      )}
    </>
  )
}

function getTurn(next: bigint, nonce: bigint) {
  if (nonce < next) return 'confirmations.replaced'
  return nonce === next ? 'confirmations.nonce' : 'confirmations.queued'
}
