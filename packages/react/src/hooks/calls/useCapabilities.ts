import { getCallsCapabilities, isConnected } from '@latchkey/core'
import { useEffect, useState } from 'react'
import { useApp } from '../../app/useApp.ts'
import { useAppState } from '../../app/useAppState.ts'
import { useHolder } from '../../app/useHolder.ts'

type WalletCapabilities = Awaited<ReturnType<typeof getCallsCapabilities>>

/** What the connected wallet can do with batches of calls on the selected network (EIP-5792); undefined until it is known. */
export function useCapabilities(): WalletCapabilities | undefined {
  const app = useApp()
  const { address, chainId, network } = useHolder({})
  // The same account can do more once its smart account is on.
  const type = useAppState(({ connections }) => {
    const connection = connections[network.chainNamespace]
    return isConnected(connection) ? connection.account.type : undefined
  })
  const key = `${chainId}:${address}:${type}`
  const [found, setFound] = useState<{ key: string; data: WalletCapabilities }>()
  useEffect(() => {
    if (address === undefined) return
    let isOver = false
    getCallsCapabilities(app).then(
      (data) => {
        if (!isOver) setFound({ key, data })
      },
      // A wallet that does not answer supports nothing more.
      () => {},
    )
    return () => {
      isOver = true
    }
  }, [app, address, key])
  return found?.key === key ? found.data : undefined
}
