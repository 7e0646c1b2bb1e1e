import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { encodeFunctionData, erc20Abi, type Hex, parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createOwnRequest, startSmartChain } from '../../../test/startSmartChain.ts'
import { approvals } from '../../locales/approvals.en.ts'
import { delegateAddress } from '../../smartAccount.ts'
import { createMemoryStore } from '../../wallet/keyStore.ts'
import type { PreparedApproval } from '../approvalRequest.ts'
import { createCallsAccess } from '../calls/callsAccess.ts'
import { prepareSendCalls } from '../calls/prepareCalls.ts'

import { prepareTransaction } from './prepareTransaction.ts'

const sink: Hex = '0x00000000000000000000000000000000000c0de2'

type Call = { readonly id: number; readonly method: string; readonly params: readonly unknown[] }

/**
 * A second node, which says this of code at these addresses, in lower case, and else what the first
 * says.
 */
async function startSecond(url: string) {
  const codes = new Map<string, Hex>()
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const body: Call | Call[] = JSON.parse(text)
    const headers = { 'content-type': 'application/json' }
    const ask = async ({ id, method, params }: Call) => {
      const code = codes.get(String(params?.[0]).toLowerCase())
      if (method === 'eth_getCode' && code) return { jsonrpc: '2.0', id, result: code }
      const one = JSON.stringify({ jsonrpc: '2.0', id, method, params })
      return (await fetch(url, { method: 'POST', headers, body: one })).json()
    }
    const answer = Array.isArray(body) ? await Promise.all(body.map(ask)) : await ask(body)
    response.writeHead(200, headers).end(JSON.stringify(answer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    codes,
    stop: () => server.close(),
  }
}

let world: Awaited<ReturnType<typeof startSmartChain>>
let second: Awaited<ReturnType<typeof startSecond>>
beforeAll(async () => {
  world = await startSmartChain(async (url) => {
    second = await startSecond(url)
    return [second.url]
  })
})
beforeEach(() => second.codes.clear())
afterAll(async () => {
  await world?.stop()
  second?.stop()
})

async function open() {
  const key = generatePrivateKey()
  const { address } = privateKeyToAccount(key)
  await world.fund(address, parseEther('1'))
  const calls = createCallsAccess(createMemoryStore(), {
    origin: 'https://app.example',
    account: address,
  })
  const ask = (params: object) => createOwnRequest(world, { key, calls, params: [params] })
  const approve = { to: usd(), data: approveData }
  return {
    address,
    calls,
    send: () => prepareTransaction(ask({ from: address, ...approve })),
    batch: () =>
      prepareSendCalls(
        ask({
          version: '2.0.0',
          from: address,
          chainId: '0x7a69',
          atomicRequired: false,
          calls: [approve, approve],
        }),
      ),
  }
}
const usd = () => world.chains.addresses['eip155:31337'].usd
const approveData = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [sink, 7n] })
const dangers = ({ view }: PreparedApproval) =>
  view.warnings.flatMap(({ level, text }) => (level === 'danger' ? text : []))

test.each(['send', 'batch'] as const)(
  'hostile RPC: if only one of two nodes has the code, the card of %s warns and can be approved',
  async (kind) => {
    const account = await open()
    expect(dangers(await account[kind]())).not.toContain(approvals.warn.noContract)
    second.codes.set(usd().toLowerCase(), '0x')
    const prepared = await account[kind]()
    expect(dangers(prepared)).toContain(approvals.warn.noContract)
    expect(await prepared.recheck?.()).toBeUndefined()
    await expect(prepared.approve()).resolves.toBeTruthy()
  },
)

test('hostile RPC: a node that differs after the press shows the card again with the danger', async () => {
  const prepared = await (await open()).send()
  second.codes.set(usd().toLowerCase(), '0x6001')
  const again = await prepared.recheck?.()
  expect(again && dangers(again)).toContain(approvals.warn.noContract)
})

test('hostile RPC: a lagging node is not trusted, and a node with another delegate ends the request', async () => {
  const { address, calls, batch } = await open()
  await calls.writeType('smartAccount')
  await world.setCode(address, `0xef0100${delegateAddress.slice(2)}`)
  second.codes.set(address.toLowerCase(), '0x')
  expect(JSON.stringify((await batch()).view)).not.toContain('Turns on')
  second.codes.set(address.toLowerCase(), `0xef0100${sink.slice(2)}`)
  await expect(batch()).rejects.toMatchObject({ code: 'SIGNING_REFUSED' })
})
