import { createApp } from '@latchkey/core'
import { ConnectButton, LatchkeyProvider } from '@latchkey/react'
import { bitcoin, latchkeyOne, latchkeyTwo, polkadot, solana } from '@latchkey/react/networks'
import '@latchkey/react/theme.css'
import { createRoot } from 'react-dom/client'

// `?all` has networks of all namespaces, `?app` too, in an app that the page itself creates.
// `?siwx` has accounts sign in.
const others = ['?all', '?app'].includes(location.search) ? [solana, bitcoin, polkadot] : []
const config = {
  projectId: 'bench',
  apiUrl: location.origin,
  networks: [latchkeyOne, latchkeyTwo, ...others],
  ...(location.search === '?siwx' && { signIn: {} }),
} as const

createRoot(document.getElementById('root') as HTMLElement).render(
  <LatchkeyProvider {...(location.search === '?app' ? { app: createApp(config) } : { config })}>
    <h1>Bench</h1>
    <ConnectButton />
  </LatchkeyProvider>,
)
