import { request } from '@latchkey/core'
import { createRoot } from 'react-dom/client'
import { safe } from '../../src/connectors.ts'
import { ConnectButton, LatchkeyProvider } from '../../src/index.ts'
import { RemoteHint } from '../../src/views/pairing/RemoteHint.tsx'
import { nodeAnswer, testApp } from '../testApp.ts'

/** What the node says of the Safe's contract, which the test changes: who confirms, and the nonce of its next transaction. */
const contract = { threshold: 2, owners: 3, nonce: 7 }
const word = (value: number) => value.toString(16).padStart(64, '0')

function callContract(params: unknown): string {
  const [{ data }] = params as [{ data: string }]
  if (data === '0xe75235b8') return `0x${word(contract.threshold)}`
  if (data === '0xaffed0e0') return `0x${word(contract.nonce)}`
  if (data !== '0xa0e67e2b') return '0x'
  const owners = Array.from({ length: contract.owners }, (_, at) => word(at + 1))
  return `0x${[word(32), word(contract.owners), ...owners].join('')}`
}

// The page that a Safe's web app shows in a frame; the test is that web app.
const parameters = new URLSearchParams(location.search)
const allowedOrigins = parameters.getAll('allowed')
const rpc = (method: string, params: unknown) =>
  method === 'eth_call' ? callContract(params) : nodeAnswer(method)
const app = testApp({ connectors: [safe({ allowedOrigins })] }, { rpc })
const root = document.body.appendChild(document.createElement('div'))
createRoot(root).render(
  <LatchkeyProvider app={app}>
    <ConnectButton />
    {parameters.has('hint') && <RemoteHint namespace="eip155" />}
  </LatchkeyProvider>,
)

const safePage = {
  app,
  contract,
  ask: (method: string, params: readonly unknown[]) => request(app, { method, params }),
}
export type SafePage = typeof safePage
Object.assign(window, { safePage })
