import { canChooseAccount, chooseAccount, showToast } from '@latchkey/core/internal'
import { isError, type Namespace } from '@latchkey/wire'
import { useEffect, useState } from 'react'
import { useErrorMessage } from '../errors/errorMessage.ts'
import { useApp } from './useApp.ts'

/**
 * Whether a connected wallet lets the user choose another account, and how to ask for that.
 * `choose` needs the wallet to be in use. It never rejects: a toast shows a failure.
 */
export function useAccountChoice({
  connectorId,
  namespace,
}: {
  connectorId: string
  namespace: Namespace
}) {
  const app = useApp()
  const getMessage = useErrorMessage()
  const [isOffered, setIsOffered] = useState(false)
  useEffect(() => {
    let isLeft = false
    canChooseAccount(app, { namespace, connectorId }).then(
      (can) => !isLeft && setIsOffered(can),
      () => {},
    )
    return () => {
      isLeft = true
    }
  }, [app, namespace, connectorId])
  const choose = async () => {
    try {
      await chooseAccount(app, { namespace })
    } catch (error) {
      if (isError(error, 'UNSUPPORTED_METHOD')) setIsOffered(false)
      if (!isError(error, 'USER_REJECTED'))
        showToast(app, { message: getMessage(error), variant: 'error' })
    }
  }
  return { isOffered, choose }
}
