import { type Chains, startChains } from '@latchkey/dev'
import { isError, LatchkeyError } from '@latchkey/wire'
import { verifyMessage, verifyTypedData } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createChainWallet } from '../../../test/chainWallet.ts'
import {
  alice,
  bob,
  type FakeWallet,
  fakeConnector,
  neverSleep,
  rpcError,
} from '../../../test/fakeWallet.ts'
import { rpc } from '../../../test/rpc.ts'
import { createBrowser, openApp } from '../../../test/tab.ts'
import { formatAddress } from '../../account/address.ts'
import { getNativeBalance } from '../../account/getNativeBalance.ts'
import { connect } from '../../connection/connect.ts'
import { switchNetwork } from '../../network/switchNetwork.ts'
import { getMaxAmount, prepareSend } from '../../send/prepareSend.ts'
import { send } from '../../send/send.ts'
import { setSendDraft } from '../../send/setSendDraft.ts'
import { signMessage, signTypedData } from '../../send/sign.ts'
import { isFinal, waitForTransaction } from '../../send/waitForTransaction.ts'
import type { Plan } from '../transferPlan.ts'
import { evmActions } from './actions.ts'

const ether = { symbol: 'ETH', decimals: 18 }

let chains: Chains
let chain: { url: string }
let token: { address: string; symbol: string; decimals: number }
let wallet: FakeWallet
let app: ReturnType<typeof openApp>

beforeAll(async () => {
  chains = await startChains()
  chain = { url: chains.urls['eip155:31337'] }
  token = { address: chains.addresses['eip155:31337'].usd, symbol: 'dUSD', decimals: 6 }
})
afterAll(() => chains?.stop())
beforeEach(async () => {
  wallet = createChainWallet(chain.url)
  app = openApp(
    {
      ...createBrowser().openTab(),
      fetch: globalThis.fetch,
      connectors: [fakeConnector({ id: 'a.one', wallet })],
    },
    { rpcUrls: chains.urls },
  )
  await connect(app, { connectorId: 'a.one' })
  return () => app.destroy()
})

const balance = (address: string) =>
  getNativeBalance(app, { address, chainId: 'eip155:31337', forceUpdate: true })

const totalOf = ({ outflows, fee }: Plan) =>
  outflows.reduce((sum, { value }) => sum + value, fee.value)

test('default', async () => {
  const before = await balance(bob)
  const form = { amount: '1.5', receiverAddress: bob }
  setSendDraft(app, form)
  const hash = await send(app, { to: ` ${bob} `, amount: '1.5', token: ether })
  // Form and toasts belong to the view that sends.
  expect(app.store.getState()).toMatchObject({ sendDraft: form, toast: undefined })
  expect(await waitForTransaction(app, { hash, chainId: 'eip155:31337' })).toEqual({
    status: 'success',
  })
  expect((await balance(bob)) - before).toBe(1_500_000_000_000_000_000n)
})

test('behavior: a transaction is final when the network reports its block as final, and not before', async () => {
  const chainId = 'eip155:31337'
  const hash = await send(app, { to: bob, amount: '0.1', token: ether })
  expect(await isFinal(app, { hash: `0x${'00'.repeat(32)}`, chainId })).toBe(false)
  await waitForTransaction(app, { hash, chainId })
  expect(await isFinal(app, { hash, chainId })).toBe(false)
  // Anvil calls a block final that two epochs follow.
  await rpc(chain.url, 'anvil_mine', ['0x50'])
  expect(await isFinal(app, { hash, chainId })).toBe(true)
})

test('behavior: of a network that does not know the word nothing is final', async () => {
  const node = async (method: string) => {
    if (method === 'eth_getBlockByNumber')
      throw new LatchkeyError('RPC_FAILED', { data: { reason: 'unknown block' } })
    return { blockNumber: '0x1' }
  }
  expect(await evmActions.isFinal({ node, hash: '0x' })).toBe(false)
})

test('default: an address is written with its checksum', async () => {
  const namespace = 'eip155'
  expect(await formatAddress(app, { address: alice.toLowerCase(), namespace })).toBe(alice)
  await expect(formatAddress(app, { address: '0x12', namespace })).rejects.toMatchObject({
    code: 'INVALID_ADDRESS',
  })
})

test('behavior: a token is sent by its contract', async () => {
  const hash = await send(app, { to: bob, amount: '0.5', token })
  await waitForTransaction(app, { hash, chainId: 'eip155:31337' })
  const sent = (await rpc(chain.url, 'eth_getTransactionByHash', [hash])) as Record<string, string>
  expect(sent.to).toBe(token.address.toLowerCase())
  expect(sent.input).toBe(
    `0xa9059cbb${bob.slice(2).toLowerCase().padStart(64, '0')}${(500_000).toString(16).padStart(64, '0')}`,
  )
})

test('behavior: a plan contains its fee, and the wallet receives no request before it is sent', async () => {
  wallet.calls.length = 0
  const plan = await prepareSend(app, { to: bob, amount: '1', token: ether })
  expect(wallet.calls).toEqual([])
  const amount = { assetId: 'eip155:31337/slip44:60', value: 10n ** 18n, ...ether }
  expect(plan).toMatchObject({
    account: { address: alice },
    outflows: [amount],
    fee: { assetId: amount.assetId, payer: 'account', symbol: 'ETH', decimals: 18 },
    steps: [{ kind: 'transfer', to: bob, amount }],
  })
  const hash = await send(app, { plan })
  await waitForTransaction(app, { hash, chainId: 'eip155:31337' })
  const receipt = (await rpc(chain.url, 'eth_getTransactionReceipt', [hash])) as Record<
    string,
    string
  >
  const paid = BigInt(receipt.gasUsed ?? 0) * BigInt(receipt.effectiveGasPrice ?? 0)
  expect(paid).toBeGreaterThan(0n)
  expect(plan.fee.value).toBeGreaterThanOrEqual(paid)
})

test('behavior: Max leaves exactly the fee', async () => {
  const amount = await getMaxAmount(app, { token: ether })
  const plan = await prepareSend(app, { to: bob, amount, token: ether })
  expect(totalOf(plan)).toBeLessThanOrEqual(await balance(alice))
  const tokens = await getMaxAmount(app, { token })
  await prepareSend(app, { to: bob, amount: tokens, token })
  const more = { to: bob, amount: String(Number(tokens) + 1), token }
  await expect(prepareSend(app, more)).rejects.toMatchObject({ code: 'INSUFFICIENT_FUNDS' })
})

test('behavior: Max can be sent when fees have risen since, by an eighth as a block may', async () => {
  const amount = await getMaxAmount(app, { token: ether, to: bob })
  const { baseFeePerGas } = (await rpc(chain.url, 'eth_getBlockByNumber', ['latest', false])) as {
    baseFeePerGas: string
  }
  const risen = (BigInt(baseFeePerGas) * 9n) / 8n
  await rpc(chain.url, 'anvil_setNextBlockBaseFeePerGas', [`0x${risen.toString(16)}`])
  await rpc(chain.url, 'evm_mine', [])
  const plan = await prepareSend(app, { to: bob, amount, token: ether })
  expect(totalOf(plan)).toBeLessThanOrEqual(await balance(alice))
  const hash = await send(app, { plan })
  expect(await waitForTransaction(app, { hash, chainId: 'eip155:31337' })).toMatchObject({
    status: 'success',
  })
  await rpc(chain.url, 'anvil_setBalance', [alice, `0x${(10n ** 22n).toString(16)}`])
})

test('behavior: reads of one moment are one request each', async () => {
  let requests = 0
  const counting = openApp(
    {
      fetch: (...parameters) => {
        requests += 1
        return globalThis.fetch(...parameters)
      },
      connectors: [fakeConnector({ id: 'a.one', wallet })],
    },
    { rpcUrls: { 'eip155:31337': chain.url } },
  )
  await connect(counting, { connectorId: 'a.one' })
  // The first says which network it serves.
  await getNativeBalance(counting, { address: bob, chainId: 'eip155:31337' })
  requests = 0
  await prepareSend(counting, { to: bob, amount: '0.1', token })
  // What the transfer needs, its gas, and what the network charges in addition to that gas.
  expect(requests).toBe(3)
})

test('behavior: after a switch everything goes to the other chain', async () => {
  await rpc(chains.urls['eip155:31338'], 'anvil_setBalance', [bob, '0x7'])
  await switchNetwork(app, { chainId: 'eip155:31338' })
  const chainId = 'eip155:31338'
  expect(await getNativeBalance(app, { address: bob, chainId })).toBe(7n)
  const plan = await prepareSend(app, { to: bob, amount: '1', token: ether })
  expect(plan.chainId).toBe(chainId)
})

test('behavior: a wallet without eth_sendTransaction receives wallet_sendTransaction', async () => {
  wallet.answers.eth_sendTransaction = () => Promise.reject(rpcError(4200, 'no'))
  wallet.answers.wallet_sendTransaction = () => `0x${'1'.repeat(64)}`
  expect(await send(app, { to: bob, amount: '1', token: ether })).toBe(`0x${'1'.repeat(64)}`)
})

test.each([
  ['', '1', 'INVALID_SEND_INPUT'],
  [bob, '', 'INVALID_SEND_INPUT'],
  [bob, '0', 'INVALID_SEND_INPUT'],
  [bob, '-1', 'INVALID_SEND_INPUT'],
  [bob, '1e18', 'INVALID_SEND_INPUT'],
  [bob, '0.0000000000000000001', 'INVALID_SEND_INPUT'],
  ['0x1234', '1', 'INVALID_ADDRESS'],
  ['bob.eth', '1', 'INVALID_ADDRESS'],
  [bob.replace('C51', 'c51'), '1', 'INVALID_ADDRESS'],
  [bob, '1000000000', 'INSUFFICIENT_FUNDS'],
])('error: to %j the amount %j is %s', async (to, amount, code) => {
  const sending = send(app, { to, amount, token: ether })
  await expect(sending).rejects.toMatchObject({ code })
  expect(wallet.calls.some(({ method }) => method === 'eth_sendTransaction')).toBe(false)
})

test('error: a contract that does not accept the network’s currency has words for it', async () => {
  const to = token.address
  await expect(prepareSend(app, { to, amount: '1', token: ether })).rejects.toMatchObject({
    code: 'TRANSFER_REFUSED',
    message: 'This is a contract, and it does not accept ETH',
  })
})

test('error: an empty account cannot pay the fee, a smart account need not', async () => {
  const poor = chains.accounts[5]?.address ?? ''
  const hash = await send(app, { to: poor, amount: '0.1', token })
  await waitForTransaction(app, { hash, chainId: 'eip155:31337' })
  await rpc(chain.url, 'anvil_setBalance', [poor, '0x0'])
  wallet.emit('accountsChanged', [poor])
  await expect(prepareSend(app, { to: bob, amount: '0.1', token })).rejects.toMatchObject({
    code: 'INSUFFICIENT_GAS',
    message: 'Not enough ETH to pay the network fee',
  })
  expect(await getMaxAmount(app, { token: ether })).toBe('0')
  const node = async (method: string, params?: unknown) =>
    method === 'eth_estimateGas' ? '0x5208' : rpc(chain.url, method, params as unknown[])
  const [network] = app.store.getState().networks
  const question = { wallet: node, node, sleep: neverSleep, network, to: bob, amount: '0.1', token }
  const account = { namespace: 'eip155', address: poor, type: 'smartAccount' } as const
  expect(await evmActions.planTransfer({ ...question, account })).toMatchObject({
    outflows: [{ assetId: `eip155:31337/erc20:${token.address}`, value: 100_000n }],
    fee: { payer: 'account' },
  })
  expect(await evmActions.planTransfer({ ...question, account, isSponsored: true })).toMatchObject({
    fee: { payer: 'sponsor' },
  })
})

test('behavior: the whole native balance can be sent only if a sponsor pays the fee', async () => {
  const account = { namespace: 'eip155', address: alice, type: 'smartAccount' } as const
  const node = (method: string, params?: unknown) => rpc(chain.url, method, params as unknown[])
  const [network] = app.store.getState().networks
  const question = { node, network, account, to: bob, token: ether }
  const balanceWei = await evmActions.balance({ node, address: alice })
  expect(await evmActions.maxSend({ ...question, isSponsored: true })).toBe(balanceWei)
  const own = await evmActions.maxSend(question)
  expect(own).toBeLessThan(balanceWei)
  expect(own).toBeGreaterThan(0n)
})

test('error: a rejection is reported in place, and the draft stays', async () => {
  wallet.answers.eth_sendTransaction = () => Promise.reject(rpcError(4001, 'x'))
  setSendDraft(app, { amount: '1' })
  await expect(send(app, { to: bob, amount: '1', token: ether })).rejects.toMatchObject({
    code: 'USER_REJECTED',
  })
  expect(app.store.getState()).toMatchObject({ toast: undefined, sendDraft: { amount: '1' } })
})

test.each([
  ['an error', () => Promise.reject(new Error('nonce too low')), 'SEND_FAILED'],
  ['garbage', () => '<script>', 'WALLET_ANSWER_INVALID'],
  ['nothing', () => undefined, 'WALLET_ANSWER_INVALID'],
])('error: the wallet answers with %s', async (_, answer, code) => {
  wallet.answers.eth_sendTransaction = answer
  await expect(send(app, { to: bob, amount: '1', token: ether })).rejects.toMatchObject({ code })
  expect(app.store.getState().toast).toBeUndefined()
})

test('error: aborted before the wallet received the request', async () => {
  const plan = await prepareSend(app, { to: bob, amount: '1', token: ether })
  const signal = AbortSignal.abort()
  await expect(send(app, { plan, signal })).rejects.toMatchObject({ code: 'ABORTED' })
  expect(wallet.calls.some(({ method }) => method === 'eth_sendTransaction')).toBe(false)
})

test('error: account or network changed since the plan was made', async () => {
  const plan = await prepareSend(app, { to: bob, amount: '1', token: ether })
  wallet.emit('accountsChanged', [bob])
  await expect(send(app, { plan })).rejects.toMatchObject({ code: 'CONNECTION_CHANGED' })
  wallet.emit('accountsChanged', [alice])
  wallet.emit('chainChanged', '0x7a6a')
  await expect(send(app, { plan })).rejects.toMatchObject({ code: 'CONNECTION_CHANGED' })
})

test('error: the same account in another wallet since the plan was made', async () => {
  const plan = await prepareSend(app, { to: bob, amount: '1', token: ether })
  const other = createChainWallet(chain.url)
  app.connectors.set('b.two', fakeConnector({ id: 'b.two', wallet: other }))
  await connect(app, { connectorId: 'b.two' })
  await expect(send(app, { plan })).rejects.toMatchObject({ code: 'CONNECTION_CHANGED' })
  const sent = [...wallet.calls, ...other.calls].map(({ method }) => method)
  expect(sent).not.toContain('eth_sendTransaction')
})

test('error: the wallet goes to an unknown chain while a sending is prepared', async () => {
  const preparing = prepareSend(app, { to: bob, amount: '1', token: ether })
  wallet.emit('chainChanged', '0x1')
  await expect(preparing).rejects.toSatisfy((error) => isError(error))
  await expect(signMessage(app, { message: 'x' })).rejects.toMatchObject({
    code: 'UNSUPPORTED_CHAIN',
  })
})

test('behavior: a message is signed', async () => {
  const message = 'Hello, wörld'
  const signature = (await signMessage(app, { message })) as `0x${string}`
  expect(await verifyMessage({ address: alice, message, signature })).toBe(true)
})

const typedData = {
  domain: { name: 'Latchkey', version: '1', chainId: 31337 },
  types: {
    Mail: [
      { name: 'text', type: 'string' },
      { name: 'value', type: 'uint256' },
    ],
  },
  primaryType: 'Mail',
  message: { text: 'hi', value: 12345678901234567890n },
} as const

test('behavior: typed data is signed, bigints included', async () => {
  const signature = (await signTypedData(app, { typedData })) as `0x${string}`
  expect(await verifyTypedData({ ...typedData, address: alice, signature })).toBe(true)
})

test.each([
  undefined,
  null,
  'x',
  {},
  { ...typedData, primaryType: 'Nope' },
  { ...typedData, types: null },
])('error: no typed data %#', async (data) => {
  await expect(signTypedData(app, { typedData: data })).rejects.toMatchObject({
    code: 'INVALID_PARAMS',
  })
})

test.each([undefined, '0x12', 'signed!', 7])('error: the signature %j', async (answer) => {
  wallet.answers.personal_sign = () => answer
  await expect(signMessage(app, { message: 'x' })).rejects.toMatchObject({
    code: 'WALLET_ANSWER_INVALID',
  })
})

test('error: not connected', async () => {
  const unconnected = openApp()
  await expect(signMessage(unconnected, { message: 'x' })).rejects.toMatchObject({
    code: 'NOT_CONNECTED',
  })
})

test('error: waiting is called off', async () => {
  const controller = new AbortController()
  const waiting = waitForTransaction(app, {
    hash: `0x${'0'.repeat(64)}`,
    chainId: 'eip155:31337',
    signal: controller.signal,
  })
  controller.abort()
  await expect(waiting).rejects.toMatchObject({ code: 'ABORTED' })
})

test('behavior: addresses need their checksum when the case is mixed', () => {
  expect(evmActions.isAddress(alice)).toBe(true)
  expect(evmActions.isAddress(alice.toLowerCase())).toBe(true)
  expect(evmActions.isAddress(`0x${alice.slice(2).toUpperCase()}`)).toBe(true)
  expect(evmActions.isAddress(alice.replace('F', 'f'))).toBe(false)
  expect(evmActions.isAddress(alice.slice(2))).toBe(false)
  expect(evmActions.isAddress('')).toBe(false)
})

test('behavior: a network without a base fee is paid by gas price', async () => {
  const node = async (method: string, params?: unknown) => {
    if (method === 'eth_getBlockByNumber') return { number: '0x1' }
    return rpc(chain.url, method, params as unknown[])
  }
  const asked: unknown[] = []
  const plan = await evmActions.planTransfer({
    node,
    wallet: async (_, params) => {
      asked.push(params)
      return `0x${'1'.repeat(64)}`
    },
    sleep: neverSleep,
    network: app.store.getState().networks[0],
    account: { namespace: 'eip155', address: alice, type: 'eoa' },
    to: bob,
    amount: '1',
    token: ether,
  })
  await plan.execute(app.signal)
  const [[transaction]] = asked as [[Record<string, string>]]
  expect(Object.keys(transaction).sort()).toEqual([
    'chainId',
    'from',
    'gas',
    'gasPrice',
    'to',
    'value',
  ])
})

test('behavior: a transaction on Polygon pays at least the tip that its nodes demand', async () => {
  const { caipNetworkId: _, ...local } = app.store.getState().networks[0]
  const plan = await evmActions.planTransfer({
    node: (method, params) =>
      method === 'eth_maxPriorityFeePerGas'
        ? Promise.resolve('0x59682f00')
        : rpc(chain.url, method, params as unknown[]),
    // As a node of Polygon: it refuses smaller tips. The rest of the transaction is checked by the
    // local chain.
    wallet: (_, params) => {
      const [{ chainId, ...sent }] = params as [Record<string, string>]
      expect(chainId).toBe('0x89')
      if (BigInt(sent.maxPriorityFeePerGas ?? 0) < 25_000_000_000n)
        throw new Error('transaction underpriced: gas tip cap, minimum needed 25000000000')
      return rpc(chain.url, 'eth_sendTransaction', [sent])
    },
    sleep: neverSleep,
    network: { ...local, id: 137, caipNetworkId: 'eip155:137' },
    account: { namespace: 'eip155', address: alice, type: 'eoa' },
    to: bob,
    amount: '0.1',
    token: ether,
  })
  const hash = await plan.execute(app.signal)
  const receipt = () => rpc(chain.url, 'eth_getTransactionReceipt', [hash])
  await expect.poll(receipt).toMatchObject({ status: '0x1' })
})

test.each([
  ['named', '0x5', 5n],
  ['not named', undefined, 7n],
])('behavior: a tip that is %s comes on top of 1.2 times the base fee', async (_, named, tip) => {
  const answers: Record<string, unknown> = {
    eth_getBlockByNumber: { baseFeePerGas: '0x64' },
    eth_gasPrice: '0x6b',
    eth_maxPriorityFeePerGas: named,
    eth_estimateGas: '0x5208',
    eth_getBalance: '0xde0b6b3a7640000',
    eth_call: '0x',
  }
  const asked: unknown[] = []
  const plan = await evmActions.planTransfer({
    node: async (method) => {
      if (answers[method] === undefined) throw new Error('no such method')
      return answers[method]
    },
    wallet: async (_, params) => {
      asked.push(params)
      return `0x${'1'.repeat(64)}`
    },
    sleep: neverSleep,
    network: app.store.getState().networks[0],
    account: { namespace: 'eip155', address: alice, type: 'eoa' },
    to: bob,
    amount: '0.1',
    token: ether,
  })
  await plan.execute(app.signal)
  expect(plan.fee.value).toBe(21_000n * (120n + tip))
  expect(asked).toMatchObject([
    [{ maxFeePerGas: `0x${(120n + tip).toString(16)}`, maxPriorityFeePerGas: `0x${tip}` }],
  ])
})
