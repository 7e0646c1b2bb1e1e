import { request } from '@latchkey/core'
import { createRoot } from 'react-dom/client'
import { safe } from '../../src/connectors.ts'
import { ConnectButton, LatchkeyProvider } from '../../src/index.ts'
import { testApp } from '../testApp.ts'

// The page that a Safe's web app shows in a frame; the test is that web app.
const allowedOrigins = new URLSearchParams(location.search).getAll('allowed')
const app = testApp({ connectors: [safe({ allowedOrigins })] })
const root = document.body.appendChild(document.createElement('div'))
createRoot(root).render(
  <LatchkeyProvider app={app}>
    <ConnectButton />
  </LatchkeyProvider>,
)

const safePage = {
  app,
  ask: (method: string, params: readonly unknown[]) => request(app, { method, params }),
}
export type SafePage = typeof safePage
Object.assign(window, { safePage })
