import { ConnectButton, LatchkeyProvider } from '@latchkey/react'
import { coinbaseWallet } from '@latchkey/react/coinbase'
import { external, safe } from '@latchkey/react/connectors'
import { ledger } from '@latchkey/react/ledger'
import { latchkeyOne, latchkeyTwo } from '@latchkey/react/networks'
import '@latchkey/react/theme.css'
import { createRoot } from 'react-dom/client'

// The page of `main.tsx`, with every connector that an app can add.
const config = {
  projectId: 'bench',
  apiUrl: location.origin,
  networks: [latchkeyOne, latchkeyTwo],
  wallets: {
    connectors: [
      ledger(),
      coinbaseWallet(),
      safe({ allowedOrigins: [location.origin] }),
      external({ id: 'own', name: 'Own Wallet', getProvider: () => undefined }),
    ],
  },
} as const

createRoot(document.getElementById('root') as HTMLElement).render(
  <LatchkeyProvider config={config}>
    <h1>Bench</h1>
    <ConnectButton />
  </LatchkeyProvider>,
)
