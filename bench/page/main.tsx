import { ConnectButton, LatchkeyProvider } from '@latchkey/react'
import { bitcoin, latchkeyOne, latchkeyTwo, polkadot, solana } from '@latchkey/react/networks'
import '@latchkey/react/theme.css'
import { createRoot } from 'react-dom/client'

const others = location.search === '?all' ? [solana, bitcoin, polkadot] : []
const config = {
  projectId: 'bench',
  apiUrl: location.origin,
  networks: [latchkeyOne, latchkeyTwo, ...others],
} as const

createRoot(document.getElementById('root') as HTMLElement).render(
  <LatchkeyProvider config={config}>
    <h1>Bench</h1>
    <ConnectButton />
  </LatchkeyProvider>,
)
