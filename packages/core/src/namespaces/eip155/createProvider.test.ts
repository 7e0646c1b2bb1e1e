import { unpackError } from '@latchkey/wire'
import { createWalletClient, custom } from 'viem'
import { foundry } from 'viem/chains'
import { expect, test } from 'vitest'
import { alice, bob, createFakeWallet, fakeConnector, rpcError } from '../../../test/fakeWallet.ts'
import { openApp } from '../../../test/tab.ts'
import { connect } from '../../connection/connect.ts'
import { disconnect } from '../../connection/disconnect.ts'
import { forceCloseModal } from '../../modal/modal.ts'
import { createProvider } from './createProvider.ts'

function open() {
  const wallet = createFakeWallet()
  const app = openApp({ connectors: [fakeConnector({ id: 'a.b', wallet })] })
  return { app, wallet, provider: createProvider(app) }
}

test('default: passes requests on to the wallet', async () => {
  const { app, wallet, provider } = open()
  await connect(app, { connectorId: 'a.b' })
  const params = ['0x68690a', alice]
  expect(await provider.request({ method: 'personal_sign', params })).toBe(`0x${'ab'.repeat(65)}`)
  expect(wallet.calls.at(-1)).toEqual({ method: 'personal_sign', params })
})

test('behavior: answers accounts and chain without the wallet', async () => {
  const { app, wallet, provider } = open()
  expect(await provider.request({ method: 'eth_accounts' })).toEqual([])
  expect(await provider.request({ method: 'eth_chainId' })).toBe('0x7a69')
  await connect(app, { connectorId: 'a.b' })
  const asked = wallet.calls.length
  expect(await provider.request({ method: 'eth_requestAccounts' })).toEqual([alice])
  expect(await provider.request({ method: 'eth_chainId' })).toBe('0x7a69')
  expect(wallet.calls.length).toBe(asked)
})

test('behavior: reports the changes of the connection', async () => {
  const { app, wallet, provider } = open()
  const events: unknown[] = []
  const names = ['connect', 'accountsChanged', 'chainChanged', 'disconnect']
  const listeners = names.map(
    (name) => [name, (value: unknown) => events.push([name, value])] as const,
  )
  for (const [name, listener] of listeners) provider.on(name, listener)
  await connect(app, { connectorId: 'a.b' })
  wallet.emit('accountsChanged', [bob])
  await expect.poll(() => events.length).toBe(3)
  wallet.emit('chainChanged', '0x7a6a')
  await expect.poll(() => events.length).toBe(4)
  expect(events).toEqual([
    ['connect', { chainId: '0x7a69' }],
    ['accountsChanged', [alice]],
    ['accountsChanged', [bob]],
    ['chainChanged', '0x7a6a'],
  ])
  events.length = 0
  await disconnect(app, {})
  expect(events).toEqual([
    ['accountsChanged', []],
    ['disconnect', expect.objectContaining({ name: 'ProviderRpcError', code: 4900 })],
  ])
  for (const [name, listener] of listeners) provider.removeListener(name, listener)
  await connect(app, { connectorId: 'a.b' })
  expect(events.length).toBe(2)
})

test('default: wallet_disconnect ends the connection once, with its events and without a prompt', async () => {
  const { app, wallet, provider } = open()
  const events: unknown[] = []
  for (const name of ['accountsChanged', 'disconnect'])
    provider.on(name, (value: unknown) => events.push([name, value]))
  const end = (params?: readonly unknown[]) =>
    provider.request({ method: 'wallet_disconnect', params })
  expect(await end()).toBeNull()
  expect(events).toEqual([])
  await connect(app, { connectorId: 'a.b' })
  events.length = 0
  const asked = wallet.calls.map(({ method }) => method)
  expect(await end([])).toBeNull()
  expect(await end([{ version: '1' }])).toBeNull()
  expect(events).toEqual([
    ['accountsChanged', []],
    ['disconnect', expect.objectContaining({ code: 4900 })],
  ])
  expect(await provider.request({ method: 'eth_accounts' })).toEqual([])
  expect(app.store.getState().modal.open).toBe(false)
  const more = wallet.calls.map(({ method }) => method).slice(asked.length)
  expect(more.filter((method) => method !== 'wallet_revokePermissions')).toEqual([])
})

test('behavior: eth_requestAccounts opens the modal if no wallet is connected, and waits for it', async () => {
  const { app, provider } = open()
  const ask = () => provider.request({ method: 'eth_requestAccounts' })
  const opened = () => app.store.getState().modal.history.map(({ name }) => name)
  const first = ask()
  const second = ask()
  await expect.poll(opened).toEqual(['Connect'])
  await connect(app, { connectorId: 'a.b' })
  expect(await Promise.all([first, second])).toEqual([[alice], [alice]])
  await disconnect(app, {})
  forceCloseModal(app)
  const closed = ask().catch((error: { code: number }) => error.code)
  await expect.poll(opened).toEqual(['Connect'])
  forceCloseModal(app)
  expect(await closed).toBe(4001)
})

test('behavior: a node answers what only reads, before a wallet is connected', async () => {
  const asked: unknown[] = []
  const app = openApp({
    fetch: async (_url, init) => {
      const { id, method } = JSON.parse(String(init?.body)) as { id: number; method: string }
      asked.push(method)
      return Response.json({ jsonrpc: '2.0', id, result: '0x10' })
    },
  })
  const provider = createProvider(app)
  for (const method of ['eth_blockNumber', 'eth_getBalance', 'net_version', 'web3_clientVersion'])
    expect(await provider.request({ method, params: [] })).toBe('0x10')
  expect(asked).toHaveLength(4)
  for (const method of ['personal_sign', 'eth_sign', 'wallet_sendCalls'])
    await expect(provider.request({ method })).rejects.toMatchObject({ code: 4900 })
  expect(asked).toHaveLength(4)
})

test('error: carries the number of the standard', async () => {
  const { app, wallet, provider } = open()
  await expect(provider.request({ method: 'personal_sign' })).rejects.toMatchObject({ code: 4900 })
  await connect(app, { connectorId: 'a.b' })
  wallet.answers.personal_sign = () => Promise.reject(rpcError(4001, 'no'))
  await expect(provider.request({ method: 'personal_sign' })).rejects.toMatchObject({
    name: 'ProviderRpcError',
    code: 4001,
    message: 'User rejected the request',
  })
})

test('error: the numbers of EIP-1474 and EIP-5792, of wallets and of the secure frame, arrive as they were', async () => {
  const { app, wallet, provider } = open()
  await connect(app, { connectorId: 'a.b' })
  const codes = [-32000, -32001, -32002, -32003, -32004, -32005, -32006]
  const numbers = [...codes, -32603, 3, 3002, 5102, 5700, 5710, 5720, 5730, 5740, 5750, 5760, 7000]
  for (const code of numbers) {
    wallet.answers.personal_sign = () => Promise.reject(rpcError(code, 'boom'))
    await expect(provider.request({ method: 'personal_sign' })).rejects.toMatchObject({ code })
  }
  for (const [frameError, code] of [
    [{ code: 'BATCH_ID_TAKEN', data: {} }, 5720],
    [{ code: 'UPGRADE_REJECTED', data: {} }, 5750],
    [{ code: 'RPC_FAILED', data: { reason: 'boom', code: -32003 } }, -32003],
    [{ code: 'RPC_FAILED', data: { reason: 'boom' } }, -32000],
  ] as const) {
    wallet.answers.personal_sign = () => Promise.reject(unpackError(frameError))
    await expect(provider.request({ method: 'personal_sign' })).rejects.toMatchObject({ code })
  }
})

test('error: a batch without sense reaches no wallet', async () => {
  const { app, wallet, provider } = open()
  await connect(app, { connectorId: 'a.b' })
  const asked = wallet.calls.length
  for (const call of [{ to: 'somewhere' }, { to: '0x01', data: '12' }, { to: '0x01', value: 1 }])
    await expect(
      provider.request({ method: 'wallet_sendCalls', params: [{ calls: [call] }] }),
    ).rejects.toMatchObject({ code: -32602 })
  expect(wallet.calls.length).toBe(asked)
})

test('behavior: viem sends a batch, reads what the wallet can do and waits for the batch, unchanged', async () => {
  const { app, wallet, provider } = open()
  await connect(app, { connectorId: 'a.b' })
  const capabilities = { atomic: { status: 'supported' } }
  const statuses = [100, 200]
  wallet.answers.wallet_getCapabilities = () => ({ '0x7a69': capabilities })
  wallet.answers.wallet_sendCalls = () => ({ id: 'one' })
  wallet.answers.wallet_getCallsStatus = () => ({
    ...{ version: '2.0.0', id: 'one', chainId: '0x7a69', atomic: true },
    status: statuses.shift(),
    receipts: [],
  })
  const client = createWalletClient({
    account: alice,
    chain: foundry,
    transport: custom(provider),
    pollingInterval: 1,
  })
  expect(await client.getCapabilities({ chainId: foundry.id })).toEqual(capabilities)
  const { id } = await client.sendCalls({
    calls: [
      { to: bob, value: 1n },
      { to: bob, data: '0x12' },
    ],
  })
  expect(id).toBe('one')
  expect(wallet.calls.at(-1)).toMatchObject({
    method: 'wallet_sendCalls',
    params: [
      {
        calls: [
          { to: bob, value: '0x1' },
          { to: bob, data: '0x12' },
        ],
        from: alice,
      },
    ],
  })
  expect(await client.waitForCallsStatus({ id })).toMatchObject({ status: 'success', atomic: true })
  expect(statuses).toEqual([])
})
