import {
  createProvider,
  type Eip1193Provider,
  getProviderConnection,
} from '@latchkey/core/internal'
import { useMemo } from 'react'
import { useApp } from '../app/useApp.ts'
import { useAppState } from '../app/useAppState.ts'

/**
 * The connected wallet as an EIP-1193 provider for libraries such as ethers; undefined while none
 * is connected.
 */
export function useProvider(): Eip1193Provider | undefined {
  const app = useApp()
  const connectorId = useAppState((state) => getProviderConnection(state)?.connectorId)
  return useMemo(() => (connectorId ? createProvider(app) : undefined), [app, connectorId])
}
