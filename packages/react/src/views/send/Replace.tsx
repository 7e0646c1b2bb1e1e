import {
  type ReplaceAction,
  replaceTransaction,
  showToast,
  truncateAddress,
} from '@latchkey/core/internal'
import { type ChainId, isError } from '@latchkey/wire'
import { QueryObserver, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { refreshHistory } from '../../app/history/historyQueries.ts'
import { pendingQuery, transactionQuery } from '../../app/queries/accountQueries.ts'
import { getQueryClient } from '../../app/queries/queries.ts'
import { useApp } from '../../app/useApp.ts'
import { useErrorMessage } from '../../errors/errorMessage.ts'
import { enHoldings } from '../../locales/enHoldings.ts'
import { useT } from '../../locales/useT.ts'
import { Button } from '../../parts/Button.tsx'
import styles from './Replace.module.css'

/**
 * Buttons that speed up or cancel a pending transaction; nothing if the wallet cannot replace it
 * for this page.
 */
export function Replace({
  hash: sentHash,
  batchId,
  chainId,
  address,
}: (
  | { hash: string; batchId?: undefined }
  /** The transaction of the batch that is pending. */
  | { hash?: undefined; batchId: string }
) & {
  chainId: ChainId
  address: string | undefined
}) {
  const app = useApp()
  const getMessage = useErrorMessage()
  const t = useT(enHoldings)
  const client = getQueryClient(app)
  const { data } = useQuery(pendingQuery(app, { chainId, address }), client)
  const [asked, setAsked] = useState<ReplaceAction>()
  const found = data?.find((one) =>
    sentHash === undefined
      ? one.batchId === batchId
      : one.hash === sentHash || one.earlier.includes(sentHash),
  )
  if (!found?.canBeReplaced) return null
  const hash = sentHash ?? found.hash
  const ask = async (action: ReplaceAction) => {
    setAsked(action)
    if (sentHash !== undefined && !found.isOperation) keepWaiting()
    try {
      await replaceTransaction(app, { hash, action, chainId })
    } catch (error) {
      // A view of the request was on top, so the message stays when this view is back.
      if (!isKnown(error)) showToast(app, { message: getMessage(error), variant: 'error' })
    }
    setAsked(undefined)
    await client.invalidateQueries({ queryKey: pendingQuery(app, { chainId, address }).queryKey })
    if (address !== undefined) refreshHistory(app, { address, chainId }).catch(() => {})
  }
  /**
   * The wait for the replaced transaction continues while the approval is shown: nodes forget the
   * transaction, and the wait knows the nonce.
   */
  const keepWaiting = () => {
    const wait = new QueryObserver(client, transactionQuery(app, { hash, chainId, address }))
    const stop = wait.subscribe(({ isFetching }) => {
      if (!isFetching) stop()
    })
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has a border and fields.
    <div
      className={styles.replace}
      role="group"
      aria-label={t('replace.group', { hash: truncateAddress(found.hash) })}
    >
      {found.isCancelled ? (
        <>
          <p>{t('replace.cancelled')}</p>
          <Button variant="quiet" busy={asked === 'cancel'} onClick={() => ask('cancel')}>
            {t('replace.raise')}
          </Button>
        </>
      ) : (
        <>
          <Button variant="quiet" busy={asked === 'speedUp'} onClick={() => ask('speedUp')}>
            {t('replace.speedUp')}
          </Button>
          <Button variant="quiet" busy={asked === 'cancel'} onClick={() => ask('cancel')}>
            {t('replace.cancel')}
          </Button>
        </>
      )}
    </div>
  )
}

/** Whether the user caused the error, or a message shows it already. */
const isKnown = (error: unknown): boolean =>
  (['USER_REJECTED', 'ABORTED', 'SIGNING_REFUSED'] as const).some((code) => isError(error, code))
