import { type SendToken, waitForTransaction } from '@latchkey/core'
import { useApp, useBalances, useNetwork, useSend } from '@latchkey/react'
import { text } from '../locales/text.ts'
import { useCall } from './useCall.ts'

export type Sent = { hash: string; status: 'success' | 'reverted' }

/** Sends and waits until the transaction is in a block. */
export function useSending() {
  const app = useApp()
  const { network } = useNetwork()
  const { send } = useSend()
  const { refresh } = useBalances()
  const { call, start } = useCall<Sent>(text('dev.waiting'))
  const submit = (parameters: { to: string; amount: string; token: SendToken }) =>
    start(async (setNote) => {
      const hash = await send(parameters)
      setNote(text('dev.mining'))
      const { signal } = app
      const chainId = network.caipNetworkId
      const { status } = await waitForTransaction(app, { hash, chainId, signal })
      // If refreshing the balances fails, the transaction has still happened.
      await refresh().catch(() => {})
      return { hash, status }
    })
  return { call, submit }
}
