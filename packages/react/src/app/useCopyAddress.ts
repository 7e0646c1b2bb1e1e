import { showToast } from '@latchkey/core/internal'
import { useErrorMessage } from '../errors/errorMessage.ts'
import { useAskRecovery } from '../hooks/useAskRecovery.ts'
import { useApp } from './useApp.ts'
import { useCopy } from './useCopy.ts'

/** Copies the account's address like {@link useCopy}, after the question for a way of recovery. */
export function useCopyAddress() {
  const app = useApp()
  const getMessage = useErrorMessage()
  const askRecovery = useAskRecovery()
  const { copied, copy } = useCopy()
  const copyAddress = (address: string) =>
    askRecovery().then(
      () => copy(address),
      (error) => showToast(app, { message: getMessage(error), variant: 'error' }),
    )
  return { copied, copyAddress }
}
