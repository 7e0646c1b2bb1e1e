import { ConnectButton, LatchkeyProvider } from '@latchkey/react'
import { latchkeyOne, latchkeyTwo } from '@latchkey/react/networks'
import '@latchkey/react/theme.css'
import { createRoot } from 'react-dom/client'

const config = {
  projectId: 'bench',
  apiUrl: location.origin,
  networks: [latchkeyOne, latchkeyTwo],
} as const

createRoot(document.getElementById('root') as HTMLElement).render(
  <LatchkeyProvider config={config}>
    <h1>Bench</h1>
    <ConnectButton />
  </LatchkeyProvider>,
)
