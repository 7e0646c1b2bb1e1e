import { ConnectButton, LatchkeyProvider } from '@latchkey/react'
import { latchkeyOne } from '@latchkey/react/networks'
import '@latchkey/react/theme.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'

const config = {
  projectId: 'local',
  apiUrl: 'http://127.0.0.1:3000',
  networks: [latchkeyOne],
} as const

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <LatchkeyProvider config={config}>
      <ConnectButton />
    </LatchkeyProvider>
  </StrictMode>,
)
