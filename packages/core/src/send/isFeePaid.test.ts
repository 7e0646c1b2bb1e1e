import { decodeFunctionData, parseAbi } from 'viem'
import { afterEach, expect, test } from 'vitest'
import { json, startServer, type TestServer } from '../../test/server.ts'
import { openApp } from '../../test/tab.ts'
import type { ActiveWallet } from '../connection/getActiveWallet.ts'
import { evmCalls } from '../namespaces/eip155/batch/calls.ts'
import { isFeePaid } from './isFeePaid.ts'

const address = '0x8ba1f109551bD432803012645Ac136ddd64DBA72'
const shop = '0x00000000000000000000000000000000000c0de8'

let server: TestServer
let app: ReturnType<typeof openApp>
afterEach(async () => {
  app.destroy()
  await server.stop()
})

/** A page's server: a node and, for `paid` contracts, the paymaster of the operation. */
async function open(paid: readonly string[], isSupported = true) {
  const targets: string[] = []
  server = await startServer(({ url, body }, response) => {
    if (!url.startsWith('/v1/bundler')) {
      const list = body as { id: number; method: string }[] | { id: number; method: string }
      const reply = ({ id, method }: { id: number; method: string }) => ({
        jsonrpc: '2.0',
        id,
        result: method === 'eth_getBlockByNumber' ? { baseFeePerGas: '0x7' } : '0x1',
      })
      return json(response, Array.isArray(list) ? list.map(reply) : reply(list))
    }
    const { method, params } = body as { method: string; params: [{ callData: `0x${string}` }] }
    expect(method).toBe('pm_getPaymasterStubData')
    const { args } = decodeFunctionData({
      abi: parseAbi(['function execute(address target, uint256 value, bytes data)']),
      data: params[0].callData,
    })
    targets.push(args[0].toLowerCase())
    const isPaid = paid.includes(args[0].toLowerCase())
    const error = { code: -32001, message: 'Not sponsored: the limit of this account is reached' }
    json(response, { jsonrpc: '2.0', id: 1, ...(isPaid ? { result: {} } : { error }) })
  })
  app = openApp({ fetch: globalThis.fetch }, { apiUrl: server.url })
  const wallet = {
    connection: {
      account: { namespace: 'eip155', address, type: 'smartAccount' },
      chainId: 'eip155:31337',
    },
    actions: { loadCalls: async () => evmCalls },
    request: async () => ({
      '0x7a69': { atomic: { status: 'supported' }, sponsorship: { supported: isSupported } },
    }),
    approvedMethods: undefined,
  } as unknown as ActiveWallet
  return { wallet, targets }
}

test('default: queries the operator for this exact call', async () => {
  const { wallet, targets } = await open([shop])
  expect(await isFeePaid(app, wallet, { calls: [{ to: shop }] })).toBe(true)
  expect(await isFeePaid(app, wallet, { calls: [{ to: address }] })).toBe(false)
  expect(targets).toEqual([shop, address.toLowerCase()])
})

test('behavior: who pays for some contracts does not pay for an unknown one', async () => {
  const { wallet, targets } = await open([shop])
  expect(await isFeePaid(app, wallet)).toBe(false)
  expect(targets).toEqual([`0x${'0'.repeat(40)}`])
})

test('behavior: a wallet whose operator pays nothing is believed', async () => {
  const { wallet, targets } = await open([shop], false)
  expect(await isFeePaid(app, wallet, { calls: [{ to: shop }] })).toBe(false)
  expect(targets).toEqual([])
})

test.each(['', 'not an address'])('error: the operator does not pay for "%s"', async (to) => {
  const { wallet, targets } = await open([shop])
  expect(await isFeePaid(app, wallet, { calls: [{ to }] })).toBe(false)
  expect(targets).toEqual([])
})
