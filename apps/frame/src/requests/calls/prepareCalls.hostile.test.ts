import {
  encodeFunctionData,
  erc20Abi,
  getAddress,
  type Hex,
  hashMessage,
  maxUint256,
  numberToHex,
  parseAbi,
  parseEther,
  stringToBytes,
  toBytes,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createOwnRequest, startSmartChain } from '../../../test/startSmartChain.ts'
import { prepareRequest } from '../../../test/testRequest.ts'
import { createLoginSession } from '../../auth/loginSession.ts'
import { createDelegations } from '../../flows/delegations.ts'
import { delegateAddress, isOfEntryPoint } from '../../smartAccount.ts'
import { createMemoryStore } from '../../wallet/keyStore.ts'
import { signEvmMessage } from '../../wallet/sign/signEvmMessage.ts'
import type { ApprovalRequest, PreparedApproval } from '../approvalRequest.ts'
import { prepareTransaction } from '../evm/prepareTransaction.ts'
import { prepareTypedData } from '../evm/typedData/prepareTypedData.ts'
import { followAccountType } from './accountType.ts'
import { getBatchCapabilities, getBatchStatus } from './answerCalls.ts'
import { createCallsAccess } from './callsAccess.ts'
import { decodeCalls } from './operation/accountCalls.ts'
import { prepareSendCalls } from './prepareCalls.ts'

const sink: Hex = '0x00000000000000000000000000000000000c0de2'

let world: Awaited<ReturnType<typeof startSmartChain>>
beforeAll(async () => {
  world = await startSmartChain()
})
afterAll(() => world?.stop())

/**
 * A new account with money, and the requests to it; `smart`: the user has agreed to the smart
 * account.
 */
async function open({ wei = parseEther('1'), smart = true } = {}) {
  const key = generatePrivateKey()
  const { address } = privateKeyToAccount(key)
  await world.fund(address, wei)
  const store = createMemoryStore()
  const calls = createCallsAccess(store, { origin: 'https://app.example', account: address })
  if (smart) await calls.writeType('smartAccount')
  const request = (batch: object, more: Partial<ApprovalRequest> = {}) =>
    createOwnRequest(world, {
      key,
      calls,
      params: [
        { version: '2.0.0', from: address, chainId: '0x7a69', atomicRequired: false, ...batch },
      ],
      ...more,
    })
  const state = { nowMs: Date.now() }
  const now = () => state.nowMs
  const question = { chains: [world.chain], account: address, access: calls, read: world.read, now }
  const status = (id: string) => getBatchStatus({ ...question, params: [id] }) as Promise<Status>
  /** The frame follows the account type that our server reports. */
  const follow = (shown: string) =>
    followAccountType(
      { store, session: { call: () => Promise.reject(new Error('no server')) } },
      { account: address, shown },
    )
  return { key, address, calls, request, status, question, state, follow }
}
type Status = { status: number; atomic: boolean; receipts: { logs: unknown[] }[] }

const toSmall = ({ to, data }: { to: Hex; data: Hex }) => ({ to: to.toLowerCase(), data })
const text = (view: object) => JSON.stringify(view)
const pay = (value: Hex, to: Hex = sink) => ({ to, value })
const approve = (amount: bigint) => ({
  to: world.chains.addresses['eip155:31337'].usd,
  data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [sink, amount] }),
})
const errorCode = (work: Promise<unknown>) =>
  work.then(
    () => 'none',
    (error) => error.code,
  )

test('default: a batch is one operation; its calls, fee and delegation are shown, and a receipt follows', async () => {
  const { request, status, calls } = await open()
  const prepared = await prepareSendCalls(request({ id: 'mine', calls: [pay('0x5'), approve(7n)] }))
  const shown = text(prepared.view)
  for (const part of [
    '1 of 2',
    '2 of 2',
    'Turns on your smart account',
    'Network fee, up to',
    'none takes effect',
  ])
    expect(shown).toContain(part)
  expect(await prepared.approve()).toEqual({ id: 'mine' })
  await expect.poll(() => status('mine')).toMatchObject({ status: 200, atomic: true })
  expect((await status('mine')).receipts[0]?.logs).toHaveLength(1)
  // The second batch does not delegate again, and an id can be used only once.
  const next = await prepareSendCalls(request({ calls: [pay('0x1')] }))
  expect(text(next.view)).not.toContain('Turns on')
  expect(await errorCode(prepareSendCalls(request({ id: 'mine', calls: [pay('0x1')] })))).toBe(
    'BATCH_ID_TAKEN',
  )
  expect(await errorCode(status('yours'))).toBe('BATCH_ID_UNKNOWN')
  expect(await calls.readType()).toBe('smartAccount')
})

test('default: the operator pays for calls in its policy, shown on the card, also for a new account', async () => {
  const { request, status } = await open({ wei: 0n })
  const prepared = await prepareSendCalls(request({ calls: [approve(7n)] }))
  expect(text(prepared.view)).toContain('None: Shop pays it')
  const { id } = (await prepared.approve()) as { id: string }
  await expect.poll(() => status(id)).toMatchObject({ status: 200 })
  expect(await errorCode(prepareSendCalls(request({ calls: [approve(7n), pay('0x0')] })))).toBe(
    'INSUFFICIENT_GAS',
  )
})

test('error: a batch that sends more than the balance throws INSUFFICIENT_FUNDS, also if a call fails', async () => {
  const { request } = await open({ wei: 5n })
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [sink, 1n] })
  const transfer = { to: world.chains.addresses['eip155:31337'].usd, data }
  expect(await errorCode(prepareSendCalls(request({ calls: [pay('0x6'), transfer] })))).toBe(
    'INSUFFICIENT_FUNDS',
  )
  await expect(prepareSendCalls(request({ calls: [pay('0x5'), transfer] }))).rejects.toThrow(
    'Call 2 would fail: the account has too little of the token',
  )
})

test('behavior: a frame that is closed between two transactions leaves a batch that ends', async () => {
  const { request, status, calls, state } = await open({ smart: false })
  const prepared = await prepareSendCalls(request({ id: 'cut', calls: [pay('0x5')] }))
  await prepared.approve()
  const sent = await calls.find('cut')
  if (sent?.kind !== 'transactions') throw new Error('No transactions were sent')
  await calls.save('cut', { ...sent, total: 2, moreUntilMs: state.nowMs + 1 })
  expect(await status('cut')).toMatchObject({ status: 100 })
  state.nowMs += 1
  // The sent transaction has to be in a block.
  await expect.poll(() => status('cut')).toMatchObject({ status: 600 })
})

test('behavior: a plain account sends calls in turn; an atomic batch turns the smart account on', async () => {
  const { request, status, question, address, calls } = await open({ smart: false })
  const ask = () => getBatchCapabilities({ ...question, params: [address, ['0x7a69']] })
  const paymasterService = { supported: false }
  const assetDiscovery = { supported: true }
  const both = { paymasterService, assetDiscovery }
  expect(await ask()).toEqual({ '0x7a69': { atomic: { status: 'ready' }, ...both } })
  const prepared = await prepareSendCalls(request({ calls: [pay('0x5'), pay('0x6')] }))
  expect(text(prepared.view)).toContain('One after another')
  expect(text(prepared.view)).not.toContain('Turns on')
  const { id } = (await prepared.approve()) as { id: string }
  await expect.poll(() => status(id)).toMatchObject({ status: 200, atomic: false })
  expect((await status(id)).receipts).toHaveLength(2)
  expect(await calls.readType()).toBe('eoa')
  const whole = await prepareSendCalls(
    request({ atomicRequired: true, calls: [pay('0x5'), pay('0x6')] }),
  )
  expect(text(whole.view)).toContain('Turns on your smart account')
  expect(whole.refusedAs).toBe('UPGRADE_REJECTED')
  const { smartAccounts: _, ...bare } = world.chain
  const elsewhere = request({ atomicRequired: true, calls: [pay('0x5')] }, { chain: bare })
  expect(await errorCode(prepareSendCalls(elsewhere))).toBe('ATOMICITY_UNSUPPORTED')
  await whole.approve()
  expect(await ask()).toEqual({
    '0x7a69': {
      atomic: { status: 'supported' },
      sponsorship: { supported: true },
      ...both,
    },
  })
})

test('security: a page’s required paymaster is refused, and an optional paymaster changes nothing', async () => {
  const { request, calls } = await open()
  const asked: unknown[] = []
  const watch: Partial<ApprovalRequest> = {
    read: (chain, method, params) => {
      asked.push([method, params])
      return world.read(chain, method, params)
    },
  }
  const url = 'https://paymaster.evil.example/?chain=1'
  const service = { url, context: { policyId: 'evil' } }
  const one = approve(1n)
  for (const batch of [
    { calls: [one], capabilities: { paymasterService: service } },
    { calls: [one], capabilities: { paymasterService: { ...service, optional: false } } },
    { calls: [{ ...one, capabilities: { paymasterService: service } }] },
    { calls: [one], capabilities: { paymasterService: { '0x7a69': service } } },
  ])
    expect(await errorCode(prepareSendCalls(request(batch, watch)))).toBe('CAPABILITY_UNSUPPORTED')
  expect(asked).toEqual([])
  const optional = { paymasterService: { ...service, optional: true } }
  const prepared = await prepareSendCalls(
    request({ id: 'optional', calls: [one], capabilities: optional }, watch),
  )
  // The operator's own pays, as without it.
  expect(text(prepared.view)).toContain('Shop')
  expect(text(prepared.view)).not.toContain('evil')
  await prepared.approve()
  expect(await calls.find('optional')).toMatchObject({ kind: 'operation' })
  expect(JSON.stringify(asked)).not.toContain('evil')
})

/** Takes 7 USD from its caller, with any data. */
const taker = () =>
  [
    '0x6323b872dd60e01b60005233600452',
    `73${sink.slice(2)}602452`,
    '6007604452',
    `6000600060646000600073${world.chains.addresses['eip155:31337'].usd.slice(2)}5af1`,
    '60555760006000fd5b00',
  ].join('')
const trap: Hex = '0x00000000000000000000000000000000000c0de3'
const shownWarnings = (prepared: PreparedApproval) =>
  prepared.view.warnings.map((one) => one.text).join('\n')

test('default: a plain account’s batch is tried out as a whole: an allowance, and the call that needs it', async () => {
  const { request, status, address } = await open({ smart: false })
  await world.giveUsd(address, 10n)
  await world.setCode(trap, taker())
  const { fetchSimulation } = world
  const allow = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [trap, 7n] })
  const usd = world.chains.addresses['eip155:31337'].usd
  const calls = [
    { to: usd, data: allow },
    { to: trap, data: '0x12345678' },
  ]
  const prepared = await prepareSendCalls(request({ calls }, { fetchSimulation }))
  expect(shownWarnings(prepared)).not.toContain('likely to fail')
  const expected = prepared.view.groups.at(-1)
  expect(expected?.label).toBe('What our server expects to happen')
  expect(expected?.rows[0]).toEqual({ label: 'Leaves', value: '0.000007 dUSD' })
  expect(prepared.view.place.map(({ label }) => label)).toEqual([
    'Network fee, up to',
    'Network',
    'Your account',
  ])
  expect(await prepared.recheck?.()).toBeUndefined()
  const { id } = (await prepared.approve()) as { id: string }
  await expect.poll(() => status(id)).toMatchObject({ status: 200, atomic: false })
})

test('simulation: a contract that takes only of accounts with code is seen at the first operation', async () => {
  const { request, address, status } = await open()
  const sly: Hex = '0x00000000000000000000000000000000000c0de5'
  await world.giveUsd(address, 10n)
  await world.setCode(trap, taker())
  // Delegates to the taker's code, but only if the caller has code.
  await world.setCode(sly, `0x333b600657005b600060006000600073${trap.slice(2)}5af400`)
  const usd = world.chains.addresses['eip155:31337'].usd
  const allow = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [sly, 7n] })
  const calls = [
    { to: usd, data: allow },
    { to: sly, data: '0x12345678' },
  ]
  const ask = (fetchSimulation: ApprovalRequest['fetchSimulation']) =>
    prepareSendCalls(request({ calls }, { fetchSimulation }))
  const takes = { label: 'Leaves', value: '0.000007 dUSD' }
  const without = await ask(({ delegation: _, ...given }) => world.fetchSimulation(given))
  expect(without.view.groups.flatMap(({ rows }) => rows)).not.toContainEqual(takes)
  const prepared = await ask(world.fetchSimulation)
  expect(text(prepared.view)).toContain('Turns on')
  expect(prepared.view.groups.flatMap(({ rows }) => rows)).toContainEqual(takes)
  expect(shownWarnings(prepared)).not.toContain('simulated in part')
  expect(await prepared.recheck?.()).toBeUndefined()
  const { id } = (await prepared.approve()) as { id: string }
  await expect.poll(() => status(id)).toMatchObject({ status: 200 })
  const balance = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [address] })
  const left = world.read(world.chain, 'eth_call', [{ to: usd, data: balance }, 'latest'])
  expect(BigInt(String(await left))).toBe(3n)
})

test('error: a page has no say in the code that is tried out, and an account that has its own keeps it', async () => {
  const asked: unknown[] = []
  const watch: Partial<ApprovalRequest> = {
    fetchSimulation: async (given) => {
      asked.push('delegation' in given ? given.delegation : 'as it is')
      return world.fetchSimulation(given)
    },
  }
  const [smart, plain] = [await open(), await open({ smart: false })]
  const evil = { delegation: 'permissions', delegate: sink, stateOverrides: { [sink]: {} } }
  const lies = { ...evil, calls: [{ ...pay('0x1'), ...evil }] }
  await prepareSendCalls(smart.request(lies, watch))
  await prepareSendCalls(smart.request({ ...lies, atomicRequired: true }, watch))
  expect(asked).toEqual(['ours', 'ours'])
  await prepareSendCalls(plain.request(lies, watch))
  await world.setCode(smart.address, `0xef0100${delegateAddress.slice(2)}`)
  await prepareSendCalls(smart.request(lies, watch))
  expect(new Set(asked.slice(2))).toEqual(new Set(['as it is']))
})

test.each([
  ['of a smart account', true],
  ['of a plain account', false],
])(
  'behavior: the only allowance in a batch %s is lowered and never raised; of several, none',
  async (_, smart) => {
    const { request, status, address } = await open({ smart })
    const usd = world.chains.addresses['eip155:31337'].usd
    const allow = (amount: bigint) => ({
      to: usd,
      data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [trap, amount] }),
    })
    const prepared = await prepareSendCalls(request({ calls: [pay('0x1'), allow(maxUint256)] }))
    expect(prepared.view.editable).toMatchObject({ max: String(maxUint256), symbol: 'dUSD' })
    for (const amount of [0n, -1n, maxUint256 + 1n])
      await expect(prepared.edit?.(amount)).rejects.toMatchObject({ code: 'INVALID_PARAMS' })
    const lowered = await (await prepared.edit?.(5n))?.edit?.(3n)
    if (!lowered) throw new Error('The amount can be edited')
    const shown = lowered.view.groups.find(({ label }) => label.includes('2 of 2'))
    expect(text(shown ?? {})).toContain('0.000003 dUSD')
    expect(text(shown ?? {})).toContain('Site requested')
    const { id } = (await lowered.approve()) as { id: string }
    await expect.poll(() => status(id)).toMatchObject({ status: 200 })
    const args = [address, trap] as const
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'allowance', args })
    expect(await world.read(world.chain, 'eth_call', [{ to: usd, data }, 'latest'])).toBe(
      numberToHex(3n, { size: 32 }),
    )
    const several = await prepareSendCalls(request({ calls: [allow(7n), allow(8n)] }))
    expect(several.view.editable).toBeUndefined()
    expect(several.edit).toBeUndefined()
  },
)

test.each([
  ['of a smart account', true],
  ['of a plain account', false],
])(
  'behavior: an allowance is lowered that a batch %s sets to 0 first, and what sets it to 0 stays',
  async (_, smart) => {
    const { request, status, address } = await open({ smart })
    await world.giveUsd(address, 10n)
    const { usd, keys } = world.chains.addresses['eip155:31337']
    const allow = (amount: bigint, to: Hex = usd) => ({
      to,
      data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [trap, amount] }),
    })
    const spend = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [sink, 1n] })
    const tried: unknown[] = []
    const prepared = await prepareSendCalls(
      request(
        { calls: [allow(0n), allow(maxUint256), { to: usd, data: spend }] },
        {
          fetchSimulation: (given) => {
            tried.push(given.calls.map(({ to, data }) => ({ to, data })))
            return world.fetchSimulation(given)
          },
        },
      ),
    )
    expect(prepared.view.editable).toMatchObject({
      amount: String(maxUint256),
      max: String(maxUint256),
    })
    const lowered = await prepared.edit?.(3n)
    if (!lowered) throw new Error('The amount can be edited')
    expect(lowered.view.editable).toMatchObject({ amount: '3', max: String(maxUint256) })
    const shown = lowered.view.groups.slice(0, 3)
    expect(shown.map(({ label, rows }) => [label, rows[0]?.value, rows[1]?.label])).toEqual([
      ['1 of 3: Others may no longer take', '0 dUSD', 'No longer by'],
      ['2 of 3: Others may take', '0.000003 dUSD', 'Site requested'],
      ['3 of 3: Leaves your wallet', '0.000001 dUSD', 'To'],
    ])
    expect(tried.at(-1)).toEqual([allow(0n), allow(3n), { to: usd, data: spend }].map(toSmall))
    const { id } = (await lowered.approve()) as { id: string }
    await expect.poll(() => status(id)).toMatchObject({ status: 200 })
    const args = [address, trap] as const
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'allowance', args })
    expect(await world.read(world.chain, 'eth_call', [{ to: usd, data }, 'latest'])).toBe(
      numberToHex(3n, { size: 32 }),
    )
    for (const calls of [
      // Two allowances that count, an allowance given in two parts, and an allowance of another
      // token, where 0 may be the first item.
      [allow(0n), allow(7n), allow(8n)],
      [allow(7n), allow(0n), allow(7n)],
      ...(smart ? [] : [[allow(0n, keys), allow(7n)]]),
      // Of a collection, all are items. No operation is made of what would fail.
      ...(smart ? [] : [[allow(0n, keys), allow(7n, keys)]]),
      [allow(0n), allow(0n)],
    ]) {
      const none = await prepareSendCalls(request({ calls }))
      expect(none.view.editable).toBeUndefined()
      expect(none.edit).toBeUndefined()
      expect(text(none.view)).not.toContain('Site requested')
    }
  },
)

test('simulation: a failed call does not hide the effects of the calls before it', async () => {
  const { request, address, status } = await open({ smart: false })
  await world.giveUsd(address, 10n)
  await world.setCode(trap, taker())
  const usd = world.chains.addresses['eip155:31337'].usd
  const allow = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [trap, 7n] })
  const fails = { to: usd, data: '0x12345678' }
  const run = { to: trap, data: '0x12345678' }
  const { fetchSimulation } = world
  const ask = (calls: object[]) => prepareSendCalls(request({ calls }, { fetchSimulation }))
  const last = await ask([{ to: usd, data: allow }, run, fails])
  expect(text(last.view.groups.at(-1) ?? {})).toContain('0.000007')
  expect(shownWarnings(last)).toContain('likely to fail: 3 of 3')
  expect(shownWarnings(last)).not.toContain('simulated in part')
  const between = await ask([{ to: usd, data: allow }, fails, run])
  expect(shownWarnings(between)).toContain('likely to fail: 2 of 3')
  expect(shownWarnings(between)).toContain('simulated in part')
  // The batch is sent anyway, but not its third call, which would take the allowance.
  const { id } = (await between.approve()) as { id: string }
  await expect.poll(() => status(id)).toMatchObject({ status: 600 })
  expect((await status(id)).receipts).toHaveLength(2)
})

test('behavior: a delegating account signs its own messages, and ends the delegation in the settings', async () => {
  const { request, key, address, status } = await open()
  const { id } = (await (await prepareSendCalls(request({ calls: [pay('0x1')] }))).approve()) as {
    id: string
  }
  await expect.poll(() => status(id)).toMatchObject({ status: 200 })
  // ERC-1271, which contracts use to verify a signature.
  const signature = signEvmMessage(stringToBytes('Hello'), Uint8Array.from(toBytes(key)))
  const vouches = async (message: string) =>
    world.read(world.chain, 'eth_call', [
      {
        to: address,
        data: encodeFunctionData({
          abi: parseAbi(['function isValidSignature(bytes32, bytes) view returns (bytes4)']),
          args: [hashMessage(message), signature],
        }),
      },
      'latest',
    ])
  expect(await vouches('Hello')).toBe(`0x1626ba7e${'0'.repeat(56)}`)
  expect(await vouches('Hello!')).toBe(`0xffffffff${'0'.repeat(56)}`)
  const facts = { chains: [{ ...world.chain }] } as unknown as Parameters<
    typeof createDelegations
  >[0]['facts']
  const { keys } = createOwnRequest(world, { key })
  const delegations = createDelegations({
    facts,
    keys,
    store: createMemoryStore(),
    session: createLoginSession({
      store: createMemoryStore(),
      send: async () => ({}),
      now: Date.now,
    }),
    read: world.read,
  })
  const [found] = await delegations.list()
  expect(found?.id).toBe('eip155:31337')
  if (found) await delegations.end(found)
  expect(await delegations.list()).toEqual([])
  expect(await world.read(world.chain, 'eth_getCode', [address, 'latest'])).toBe('0x')
})

test('security: the card shows the delegation and how calls are sent, for any account type from the server', async () => {
  const { address, request, follow } = await open({ smart: false })
  const send = () =>
    request({}, { method: 'eth_sendTransaction', params: [{ from: address, ...approve(7n) }] })
  for (const shown of ['smartAccount', 'eoa', 'smartAccount', 'nothing']) {
    await follow(shown)
    const card = text((await prepareSendCalls(request({ calls: [pay('0x5'), pay('0x6')] }))).view)
    const single = text((await prepareRequest(send())).view)
    const isSmart = shown !== 'eoa'
    expect(card).toContain(isSmart ? 'none takes effect' : 'One after another')
    for (const one of [card, single]) {
      expect(one.includes('Turns on your smart account')).toBe(isSmart)
      expect(one.includes(getAddress(delegateAddress))).toBe(isSmart)
    }
    const whole = await prepareSendCalls(request({ atomicRequired: true, calls: [pay('0x5')] }))
    expect(text(whole.view)).toContain('Turns on your smart account')
    expect(whole.refusedAs).toBe(isSmart ? undefined : 'UPGRADE_REJECTED')
  }
  // Nothing was approved, so nothing was turned on.
  expect(await world.read(world.chain, 'eth_getCode', [address, 'latest'])).toBe('0x')
})

test('batched calls: hidden calls, 100 calls, overflow and non-0x are refused or shown', async () => {
  const { request, address } = await open()
  const code = (batch: object) => errorCode(prepareSendCalls(request(batch)))
  const one = pay('0x1')
  expect(await code({ calls: Array.from({ length: 100 }, () => one) })).toBe('BATCH_TOO_LARGE')
  expect(await code({ calls: [{ to: sink, data: `0x${'00'.repeat(24_001)}` }] })).toBe(
    'BATCH_TOO_LARGE',
  )
  const most = `0x${'f'.repeat(64)}` as const
  expect(await code({ calls: [pay(most), one] })).toBe('INVALID_PARAMS')
  for (const call of [
    { to: sink.slice(2), value: '0x1' },
    { to: sink, value: '1' },
    { to: sink, value: 1 },
    { to: sink, value: `${most}0` },
    { to: sink, value: '-0x1' },
    { to: sink, data: 'a9059cbb' },
    { to: sink, data: '0xabc' },
    { value: '0x1' },
    { to: null, data: '0x60' },
    null,
  ])
    expect(await code({ calls: [one, call] })).toBe('INVALID_PARAMS')
  expect(await code({ calls: [] })).toBe('INVALID_PARAMS')
  expect(await code({ calls: [one], chainId: '0x1' })).toBe('BATCH_CHAIN_UNSUPPORTED')
  expect(await code({ calls: [one], chainId: '0x0' })).toBe('BATCH_CHAIN_UNSUPPORTED')
  expect(await code({ calls: [one], from: sink })).toBe('UNAUTHORIZED')
  for (const [batch, reason] of [
    [{ calls: [one], from: '0x12' }, 'from'],
    [{ calls: [one], chainId: 31337 }, 'chainId'],
    [{ calls: [one], atomicRequired: 'yes' }, 'atomicRequired'],
    [{ calls: [one], id: '' }, 'id'],
    [{ calls: [one], id: `0x${'a'.repeat(8193)}` }, 'id'],
    [{ calls: {} }, 'calls'],
    [{ calls: [one], capabilities: 1 }, 'capabilities'],
    [{ calls: [one, { value: '0x1' }] }, 'calls[1].to is missing: a batch creates no contracts'],
    [{ calls: [one, { ...one, data: '0xabc' }] }, 'calls[1].data'],
  ] as const)
    await expect(prepareSendCalls(request(batch))).rejects.toMatchObject({
      code: 'INVALID_PARAMS',
      data: { reason },
    })
  for (const version of ['3.0.0', 'nonsense', '', '2.', '0.9'])
    expect(await code({ calls: [one], version })).toBe('RPC_FAILED')
  for (const version of ['1.0', '1', '2.0.0', undefined])
    expect(await code({ calls: [one], version })).toBe('none')
  expect(await code({ calls: [one], id: `0x${'a'.repeat(8192)}` })).toBe('none')
  // As pages write what they leave out.
  for (const left of [{ value: null }, { data: '' }, { value: '0x', data: null }])
    expect(await code({ calls: [{ ...one, ...left }] })).toBe('none')
  expect(await code({ calls: [one], capabilities: { atomic: {} } })).toBe('none')
  expect(await code({ calls: [{ ...one, capabilities: { atomic: {} } }] })).toBe('none')
  for (const name of ['unheardOf', 'toString'])
    expect(await code({ calls: [one], capabilities: Object.fromEntries([[name, {}]]) })).toBe(
      'CAPABILITY_UNSUPPORTED',
    )
  // A batch within the batch, and one in a plain transaction.
  expect(await code({ calls: [{ to: address, data: '0x34fcd5be' }] })).toBe('REQUEST_NOT_ALLOWED')
  const inner = request(
    {},
    {
      params: [
        { from: address, to: address.toUpperCase().replace('0X', '0x'), data: '0x34fcd5be' },
      ],
    },
  )
  expect(await errorCode(prepareTransaction(inner))).toBe('REQUEST_NOT_ALLOWED')
  expect(
    await code({ calls: [one], capabilities: { paymasterService: { url: 'https://a.example' } } }),
  ).toBe('CAPABILITY_UNSUPPORTED')
  const shown = await prepareSendCalls(
    request({ calls: [pay('0x1'), { ...approve(2n ** 255n), to: sink }, pay('0x2')] }),
  )
  expect(shown.view.groups.map(({ label }) => label.slice(0, 6))).toEqual(
    expect.arrayContaining(['1 of 3', '2 of 3', '3 of 3']),
  )
})

test('smart accounts: refuses another delegate, code or network, and operations signed as typed data', async () => {
  const { request, address } = await open()
  const asked = { calls: [pay('0x1')] }
  const lie = (method: string, answer: unknown): Partial<ApprovalRequest> => ({
    read: async (chain, name, params) =>
      name === method && (params as unknown[])[0] !== address
        ? answer
        : world.read(chain, name, params),
  })
  const foreign: Partial<ApprovalRequest> = {
    read: async (chain, name, params) =>
      name === 'eth_getCode' && (params as unknown[])[0] === address
        ? `0xef0100${sink.slice(2)}`
        : world.read(chain, name, params),
  }
  expect(await errorCode(prepareSendCalls(request(asked, foreign)))).toBe('SIGNING_REFUSED')
  expect(await errorCode(prepareSendCalls(request(asked, lie('eth_getCode', '0x6001'))))).toBe(
    'CHAIN_NOT_SUPPORTED',
  )
  const other = {
    paymaster: sink,
    paymasterData: '0x',
    paymasterVerificationGasLimit: '0x1',
    paymasterPostOpGasLimit: '0x0',
  }
  const sponsor = lie('pm_getPaymasterStubData', other)
  expect(await errorCode(prepareSendCalls(request({ calls: [approve(1n)] }, sponsor)))).toBe(
    'ANSWER_INVALID',
  )
  expect(() => decodeCalls('0x34fcd5be')).toThrow()
  const domain = {
    name: 'ERC4337',
    version: '1',
    chainId: 31337,
    verifyingContract: '0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108',
  }
  const types = { PackedUserOperation: [{ name: 'sender', type: 'address' }] }
  const data = { domain, types, primaryType: 'PackedUserOperation', message: { sender: address } }
  const typed = request(
    {},
    { method: 'eth_signTypedData_v4', params: [address, JSON.stringify(data)] },
  )
  expect(await errorCode(prepareTypedData(typed))).toBe('REQUEST_NOT_ALLOWED')
  expect(isOfEntryPoint(domain.verifyingContract.toUpperCase().replace('0X', '0x'))).toBe(true)
})
