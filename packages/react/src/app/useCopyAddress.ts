import { showToast } from '@latchkey/core/internal'
import { isError } from '@latchkey/wire'
import { useErrorMessage } from '../errors/errorMessage.ts'
import { useAskRecovery } from '../hooks/useAskRecovery.ts'
import { useApp } from './useApp.ts'
import { useCopy } from './useCopy.ts'

/**
 * Copies the account's address like {@link useCopy}, after the question for a way of recovery. Who
 * closes the question copies nothing.
 */
export function useCopyAddress() {
  const app = useApp()
  const getMessage = useErrorMessage()
  const askRecovery = useAskRecovery()
  const { copied, copy } = useCopy()
  const copyAddress = (address: string) =>
    askRecovery(address).then(
      () => copy(address),
      (error) => {
        if (!isError(error, 'USER_REJECTED'))
          showToast(app, { message: getMessage(error), variant: 'error' })
      },
    )
  return { copied, copyAddress }
}
