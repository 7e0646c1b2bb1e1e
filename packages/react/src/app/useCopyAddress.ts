import { showToast } from '@latchkey/core/internal'
import { isError } from '@latchkey/wire'
import { useErrorMessage } from '../errors/errorMessage.ts'
import { useAskRecovery } from '../hooks/useAskRecovery.ts'
import { useApp } from './useApp.ts'
import { useCopy } from './useCopy.ts'

/**
 * Copies an address like {@link useCopy}. If it belongs to the account, the question for a way of
 * recovery comes first, and closing the question copies nothing. `text` is copied instead of the
 * address, for example a name of the account.
 */
export function useCopyAddress() {
  const app = useApp()
  const getMessage = useErrorMessage()
  const askRecovery = useAskRecovery()
  const { copied, copy } = useCopy()
  const copyAddress = (address: string | undefined, text = address) =>
    askRecovery(address).then(
      () => (text === undefined ? undefined : copy(text)),
      (error) => {
        if (!isError(error, 'USER_REJECTED'))
          showToast(app, { message: getMessage(error), variant: 'error' })
      },
    )
  return { copied, copyAddress }
}
