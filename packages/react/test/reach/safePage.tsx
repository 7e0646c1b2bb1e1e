import {
  disconnect,
  latchkeyOne,
  openModal,
  prepareSwap,
  request,
  swap,
} from '@latchkey/core/internal'
import { createRoot } from 'react-dom/client'
import { encodeFunctionData, type Hex, parseAbi } from 'viem'
import { safe } from '../../src/connectors.ts'
import { ConnectButton, LatchkeyProvider } from '../../src/index.ts'
import { RemoteHint } from '../../src/views/pairing/RemoteHint.tsx'
import { nodeAnswer, testApp } from '../testApp.ts'

/**
 * The state of the Safe's contract at the node, which the test changes: its owners, and the nonce
 * of its next transaction.
 */
const contract = { threshold: 2, owners: 3, nonce: 7 }
const word = (value: number) => value.toString(16).padStart(64, '0')

function callContract(params: unknown): string {
  const [{ data }] = params as [{ data: string }]
  if (data === '0xe75235b8') return `0x${word(contract.threshold)}`
  // Of the token that is swapped: nothing is allowed, six decimals, 1,000 are held.
  if (data.startsWith('0xdd62ed3e')) return `0x${word(0)}`
  if (data === '0x313ce567') return `0x${word(6)}`
  if (data.startsWith('0x70a08231')) return `0x${word(1_000_000_000)}`
  if (data === '0xaffed0e0') return `0x${word(contract.nonce)}`
  if (data !== '0xa0e67e2b') return '0x'
  const owners = Array.from({ length: contract.owners }, (_, at) => word(at + 1))
  return `0x${[word(32), word(contract.owners), ...owners].join('')}`
}

const router = latchkeyOne.swap?.router ?? ''
const tokens: readonly [Hex, Hex] = [
  '0xe7f1725e7734ce288f8367e1bb143e90bb3f0512',
  '0x9fe46736679d2d9a65f0992f2272de9f3c7fa6e0',
]
const abi = parseAbi([
  'function multicall(uint256 deadline, bytes[] data)',
  'function swapExactTokensForTokens(uint256, uint256, address[], address)',
])

/** The transaction that an honest server prepares for 5 whole tokens of the first kind. */
function buildSwap(owner: string) {
  const args = [5_000_000n, 9_900n, tokens, owner as Hex] as const
  const data = encodeFunctionData({ abi, functionName: 'swapExactTokensForTokens', args })
  const deadline = BigInt(Math.floor(Date.now() / 1000) + 600)
  return {
    tx: {
      from: `eip155:31337:${owner}`,
      to: `eip155:31337:${router}`,
      data: encodeFunctionData({ abi, functionName: 'multicall', args: [deadline, [data]] }),
      amount: '10000',
      eip155: { gas: '200000', gasPrice: '1' },
    },
  }
}

// The page that a Safe's web app shows in a frame; the test is that web app.
const parameters = new URLSearchParams(location.search)
const allowedOrigins = parameters.getAll('allowed')
const rpc = (method: string, params: unknown) =>
  method === 'eth_call' ? callContract(params) : nodeAnswer(method, params)
const getOwner = () => {
  const { eip155 } = app.store.getState().connections
  return eip155.status === 'connected' ? eip155.account.address : ''
}
const other = ({ pathname }: URL) =>
  pathname === '/v1/convert/build-transaction' ? buildSwap(getOwner()) : undefined
const app = testApp({ wallets: { connectors: [safe({ allowedOrigins })] } }, { rpc, other })
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
  /** Leaves the Safe and shows the list of wallets. */
  showWallets: async () => {
    await disconnect(app)
    openModal(app)
  },
  swap: async () => {
    const [from, to] = tokens.map((address) => ({ address, symbol: 'T', decimals: 6 }))
    if (!from || !to) throw new Error('Two tokens are swapped')
    const plan = await prepareSwap(app, { from, to, amount: '5', slippage: 1 })
    return swap(app, { plan })
  },
  ask: (method: string, params: readonly unknown[]) => request(app, { method, params }),
}
export type SafePage = typeof safePage
Object.assign(window, { safePage })
