import { type SendToken, waitForTransaction } from '@latchkey/core'
import { useAccount, useApp, useBalances, useNetwork, useSend } from '@latchkey/react'
import { text } from '../locales/text.ts'
import { useCall } from './useCall.ts'

export type Sent = {
  hash: string
  status: Awaited<ReturnType<typeof waitForTransaction>>['status']
}

/** Sends a transaction and waits until a block includes it. */
export function useSending() {
  const app = useApp()
  const { network } = useNetwork()
  const { address } = useAccount()
  const { sendAsync } = useSend()
  const { refresh } = useBalances()
  const { call, start } = useCall<Sent>(text('dev.waiting'))
  const submit = (parameters: { to: string; amount: string; token: SendToken }) =>
    start(async (setNote) => {
      const hash = await sendAsync(parameters)
      setNote(text('dev.mining'))
      const { signal } = app
      const chainId = network.caipNetworkId
      const outcome = await waitForTransaction(app, { hash, chainId, address, signal })
      // If refreshing the balances fails, the transaction has still been sent.
      await refresh().catch(() => {})
      return { hash: outcome.hash ?? hash, status: outcome.status }
    })
  return { call, submit }
}
