import { prepareSend, resetSendDraft, send, setSendDraft } from '@latchkey/core/internal'
import { useAccountAction } from '../app/useAction.ts'
import { useApp } from '../app/useApp.ts'
import { useAppState } from '../app/useAppState.ts'

/**
 * Checks (`prepareSend`) and sends. The draft is the modal's own form, and the result is the hash
 * of the transaction.
 */
export function useSend() {
  const app = useApp()
  const action = useAccountAction(send)
  return {
    ...action,
    send: action.mutate,
    sendAsync: action.mutateAsync,
    prepareSend: (parameters: Parameters<typeof prepareSend>[1]) => prepareSend(app, parameters),
    draft: useAppState((state) => state.sendDraft),
    setDraft: (parameters: Parameters<typeof setSendDraft>[1]) => setSendDraft(app, parameters),
    resetDraft: () => resetSendDraft(app),
  }
}
