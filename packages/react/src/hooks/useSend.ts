import { prepareSend, resetSendDraft, send, setSendDraft } from '@latchkey/core'
import { useAction } from '../app/useAction.ts'
import { useApp } from '../app/useApp.ts'
import { useAppState } from '../app/useAppState.ts'

/** Checks (`prepareSend`) and sends; the draft is the modal's own form. `send` resolves to the transaction's hash. */
export function useSend() {
  const app = useApp()
  const { run, ...progress } = useAction(send)
  return {
    send: run,
    prepareSend: (parameters: Parameters<typeof prepareSend>[1]) => prepareSend(app, parameters),
    draft: useAppState((state) => state.sendDraft),
    setDraft: (parameters: Parameters<typeof setSendDraft>[1]) => setSendDraft(app, parameters),
    resetDraft: () => resetSendDraft(app),
    ...progress,
  }
}
