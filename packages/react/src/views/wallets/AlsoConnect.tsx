import { getNamespaceName, type State, showView } from '@latchkey/core/internal'
import { useApp } from '../../app/useApp.ts'
import { useAppState } from '../../app/useAppState.ts'
import { useT } from '../../locales/useT.ts'
import { enWallets } from '../../locales/wallet/enWallets.ts'
import { Button } from '../../parts/Button.tsx'
import { findUnconnected } from '../connect/findUnconnected.ts'

/** Offers to connect a wallet in its further namespaces; draws nothing without one. */
export function AlsoConnect({ connectorId }: { connectorId: string }) {
  const app = useApp()
  const t = useT(enWallets)
  const names = useAppState((state) => getNames(state, connectorId))
  if (names === '') return null
  const view = { name: 'ConnectNamespaces', connectorIds: [connectorId] } as const
  return (
    <Button variant="text" onClick={() => showView(app, view)}>
      {t('wallets.also', { namespaces: names })}
    </Button>
  )
}

const getNames = (state: State, connectorId: string): string =>
  findUnconnected(state, connectorId)
    .map(({ namespaces: [namespace] }) => getNamespaceName(namespace))
    .join(', ')
