import {
  concat,
  encodeErrorResult,
  encodeFunctionData,
  type Hex,
  parseAbi,
  size,
  toHex,
} from 'viem'
import { entryPoint08Address } from 'viem/account-abstraction'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type BundlerWorld,
  type Draft,
  execute,
  sink,
  startBundler,
} from '../../test/startBundler.ts'
import { hashOperation, userOperation } from './operations/userOperation.ts'

let world: BundlerWorld
beforeAll(async () => {
  world = await startBundler({ smartAccounts: { accounts: 'any' } })
})
afterAll(() => world?.stop())

const url = () => `${world.server.url}/v1/bundler?projectId=local&chainId=eip155:31337`

async function post(body: string) {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(url(), { method: 'POST', headers, body })
  return { status: response.status, json: await response.json() }
}

const call = (id: unknown, method: string, params: unknown[] = []) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
})

test('default: a batch is answered as a batch, each call with its id', async () => {
  const calls = [
    call(1, 'eth_chainId'),
    call('two', 'eth_nothing'),
    call(3, 'web3_clientVersion'),
    { id: 4 },
  ]
  expect(await post(JSON.stringify(calls))).toEqual({
    status: 200,
    json: [
      { jsonrpc: '2.0', id: 1, result: '0x7a69' },
      {
        jsonrpc: '2.0',
        id: 'two',
        error: { code: -32601, message: expect.stringContaining('eth_nothing') },
      },
      { jsonrpc: '2.0', id: 3, result: 'Latchkey' },
      { jsonrpc: '2.0', id: 4, error: { code: -32600, message: expect.any(String) } },
    ],
  })
})

test('behavior: a batch is answered one call after the other', async () => {
  const account = await world.openAccount({ wei: 10n ** 18n })
  const drafted = await world.prepare(world.draft(account, execute(sink)), { isSponsored: false })
  const signed = await account.sign(drafted)
  const network = { chainId: 31_337, delegate: world.chains.addresses['eip155:31337'].smartAccount }
  const hash = hashOperation(userOperation.parse(signed), network)
  const calls = [
    call(1, 'eth_sendUserOperation', [signed, entryPoint08Address]),
    call(2, 'eth_getUserOperationByHash', [hash]),
  ]
  expect((await post(JSON.stringify(calls))).json).toMatchObject([
    { id: 1, result: hash },
    { id: 2, result: { userOperation: { sender: signed.sender } } },
  ])
})

test('security: the answers of a batch are bounded together, and count as memory of the client', async () => {
  const hash = await logMuch()
  const receipt = call(1, 'eth_getUserOperationReceipt', [hash])
  const { json: alone } = await post(JSON.stringify(receipt))
  const megabyte = 1_048_576
  expect(JSON.stringify(alone).length).toBeGreaterThan(megabyte)
  const refused = { code: -32005, message: expect.stringContaining('in another batch') }
  const batch = Array(19).fill(receipt)
  const { status, json } = await post(
    JSON.stringify([...batch, call('last', 'web3_clientVersion')]),
  )
  expect(status).toBe(200)
  expect(json).toHaveLength(20)
  expect(json[0]).toEqual(alone)
  expect(json[19]).toEqual({ jsonrpc: '2.0', id: 'last', error: refused })
  expect(JSON.stringify(json).length).toBeLessThan(6 * megabyte)
  const { responseMemory } = world.server.services
  await expect.poll(() => responseMemory.held('127.0.0.1')).toBe(0)
  const used = responseMemory.open('127.0.0.1', 30 * megabyte)
  const { json: fewer } = await post(JSON.stringify([receipt, receipt, receipt]))
  expect(fewer).toEqual([alone, { jsonrpc: '2.0', id: 1, error: refused }, expect.anything()])
  used?.add(1.5 * megabyte)
  expect((await post(JSON.stringify(receipt))).status).toBe(503)
  used?.release()
  await expect.poll(() => responseMemory.held('127.0.0.1')).toBe(0)
})

/** The hash of an operation in a block, whose receipt has two thousand logs. */
async function logMuch() {
  const logger = '0x00000000000000000000000000000000000c0deb'
  await world.anvil.setCode({
    address: logger,
    bytecode: `0x620000145b${'5f5fa0'.repeat(100)}600190038060045700`,
  })
  const account = await world.openAccount({ wei: 10n ** 18n })
  const drafted = await world.prepare(world.draft(account, execute(logger)), { isSponsored: false })
  const hash = await world.send(await account.sign(drafted))
  const isDone = async () =>
    (await world.ask('eth_getUserOperationReceipt', [hash])).result !== null
  await expect.poll(isDone, { timeout: 20_000 }).toBe(true)
  return hash
}

test('error: a body that is not JSON-RPC is answered with an error of JSON-RPC', async () => {
  expect((await post('{bad')).json).toMatchObject({ id: null, error: { code: -32700 } })
  expect((await post('[]')).json).toMatchObject({ id: null, error: { code: -32600 } })
  expect((await post('{"jsonrpc":"2.0","id":9}')).json).toMatchObject({
    id: 9,
    error: { code: -32600 },
  })
  const many = JSON.stringify(Array(21).fill(call(1, 'eth_chainId')))
  expect((await post(many)).json).toMatchObject({ error: { code: -32600 } })
})

test('default: the EntryPoint is named with its checksum', async () => {
  expect((await world.ask('eth_supportedEntryPoints', [])).result).toEqual([entryPoint08Address])
})

test('error: plain words say which field is wrong, and how', async () => {
  const account = await world.openAccount({ wei: 10n ** 18n })
  const good = world.draft(account, execute(sink))
  const refuse = async (change: Draft, at: unknown = entryPoint08Address) =>
    (await world.ask('eth_estimateUserOperationGas', [{ ...good, ...change }, at])).error
  expect(await refuse({ sender: 'x' })).toEqual({
    code: -32602,
    message: 'sender must be an address: 0x and 40 hex digits',
  })
  expect((await refuse({ callData: '0x1' }))?.message).toBe(
    'callData must be bytes: 0x and an even number of hex digits',
  )
  expect((await refuse({ nonce: '5' }))?.message).toBe(
    'nonce must be a quantity: 0x and 1 to 64 hex digits',
  )
  expect((await refuse({ nonce: undefined }))?.message).toBe('nonce is missing')
  expect((await refuse({ eip7702Auth: 'x' }))?.message).toBe('eip7702Auth must be an object')
  expect((await refuse({ eip7702Auth: {} }))?.message).toBe('eip7702Auth.chainId is missing')
  expect((await refuse({}, sink))?.message).toBe(
    `Only the EntryPoint ${entryPoint08Address} is supported`,
  )
  for (const method of ['eth_estimateUserOperationGas', 'eth_sendUserOperation']) {
    expect((await world.ask(method, [])).error).toEqual({
      code: -32602,
      message: 'The user operation is missing',
    })
    expect((await world.ask(method, [good])).error?.message).toContain('The EntryPoint is missing')
    expect((await world.ask(method, ['x', entryPoint08Address])).error?.message).toBe(
      'The user operation must be an object',
    )
  }
})

test('default: null and no bytes are as absent, and an estimate needs no signature', async () => {
  const account = await world.openAccount({ wei: 10n ** 18n })
  const {
    factory: _,
    factoryData: __,
    signature: ___,
    ...good
  } = world.draft(account, execute(sink))
  const absent = {
    factory: null,
    factoryData: null,
    paymaster: null,
    paymasterData: null,
    paymasterPostOpGasLimit: null,
  }
  const estimate = async (change: Draft) =>
    world.ask('eth_estimateUserOperationGas', [{ ...good, ...change }, entryPoint08Address])
  const expected = (await estimate({})).result
  expect(expected).toMatchObject({ callGasLimit: expect.any(String) })
  for (const change of [
    absent,
    { factory: '0x', paymaster: '0x', paymasterData: '0x' },
    { signature: '0x' },
    { signature: null },
  ])
    expect((await estimate(change)).result).toEqual(expected)
})

test('default: numbers of an authorization may be quantities without leading zeros', async () => {
  const account = await world.openAccount({ wei: 10n ** 18n })
  const drafted = await world.prepare(world.draft(account, execute(sink)), { isSponsored: false })
  const signed = await account.sign(drafted)
  const short = (text: unknown) => `0x${BigInt(String(text)).toString(16)}`
  const { r, s, ...rest } = signed.eip7702Auth as Draft
  const eip7702Auth = {
    ...rest,
    r: short(r),
    s: short(s),
    yParity: `0x0${String(rest.yParity).slice(2)}`,
  }
  expect(await world.send({ ...signed, eip7702Auth })).toMatch(/^0x/)
  // Digits that are left out count as zeros.
  const other = { ...signed, eip7702Auth: { ...rest, r: '0x1', s: '0x1' } }
  await expect(world.send(other)).rejects.toThrow('is not signed by the sender')
})

test('param: an authorization has yParity (0 or 1), v (0, 1, 27 or 28), or both', async () => {
  const account = await world.openAccount({ wei: 10n ** 18n })
  const drafted = await world.prepare(world.draft(account, execute(sink)), { isSponsored: false })
  const { yParity, ...rest } = drafted.eip7702Auth as Draft
  const parity = Number(yParity)
  const ask = (more: Draft) =>
    world.ask('eth_estimateUserOperationGas', [
      { ...drafted, eip7702Auth: { ...rest, ...more } },
      entryPoint08Address,
    ])
  const v = toHex(27 + parity)
  const short = toHex(parity)
  for (const more of [{ yParity }, { v }, { yParity, v }, { v: short }, { yParity, v: short }])
    expect((await ask(more)).error).toBeUndefined()
  const wrong = [
    [{}, 'eip7702Auth.yParity is missing'],
    [{ yParity: v }, 'eip7702Auth.yParity must be below 2^1'],
    [{ v: '0x2' }, 'eip7702Auth.v must be 0, 1, 27 or 28'],
    [{ yParity, v: toHex(1 - parity) }, 'eip7702Auth.v must be yParity or 27 + yParity'],
    [{ yParity, v: toHex(28 - parity) }, 'eip7702Auth.v must be yParity or 27 + yParity'],
  ] as const
  for (const [more, message] of wrong)
    expect((await ask(more)).error).toMatchObject({ code: -32602, message })
})

test('error: an account without code and authorization is refused by the estimate as by the sending', async () => {
  const account = await world.openAccount({ wei: 10n ** 18n })
  const {
    eip7702Auth: _,
    factory: __,
    factoryData: ___,
    ...draft
  } = world.draft(account, execute(sink))
  const estimate = await world.ask('eth_estimateUserOperationGas', [draft, entryPoint08Address])
  expect(estimate.error).toMatchObject({ code: -32500, message: expect.stringContaining('AA20') })
})

test('param: an estimate is never above what is taken', async () => {
  const account = await world.openAccount({ wei: 10n ** 20n })
  const burner = '0x00000000000000000000000000000000000c0dea'
  // 200,000 rounds: 5.2 million gas.
  await world.anvil.setCode({ address: burner, bytecode: '0x62030d405b6001900380600457' })
  const calls = Array(2).fill({ target: burner, value: 0n, data: '0x' })
  const abi = parseAbi([
    'struct Call { address target; uint256 value; bytes data; }',
    'function executeBatch(Call[] calls)',
  ])
  const callData = encodeFunctionData({ abi, args: [calls] })
  const drafted = await world.prepare(world.draft(account, callData), { isSponsored: false })
  expect(drafted.callGasLimit).toBe('0xb71b00')
  expect(await world.send(await account.sign(drafted))).toMatch(/^0x/)
})

test('error: calls that need too much gas are refused with that reason, alone and in a batch', async () => {
  const account = await world.openAccount({ wei: 10n ** 20n })
  const [burner, silent] = [
    '0x00000000000000000000000000000000000c0dec',
    '0x00000000000000000000000000000000000c0ded',
  ] as const
  // A million rounds: 26 million gas.
  await world.anvil.setCode({ address: burner, bytecode: '0x620f42405b6001900380600457' })
  await world.anvil.setCode({ address: silent, bytecode: '0x5f5ffd' })
  const abi = parseAbi([
    'struct Call { address target; uint256 value; bytes data; }',
    'function executeBatch(Call[] calls)',
    'function execute(address target, uint256 value, bytes data)',
  ])
  const encodeBatch = (...targets: Hex[]) =>
    encodeFunctionData({
      abi,
      functionName: 'executeBatch',
      args: [targets.map((target) => ({ target, value: 0n, data: '0x' }) as const)],
    })
  const refuse = async (callData: Hex) => {
    const draft = { ...world.draft(account, '0x'), callData }
    return (await world.ask('eth_estimateUserOperationGas', [draft, entryPoint08Address])).error
  }
  const code = -32521
  expect(await refuse(encodeBatch(sink, burner))).toEqual({
    code,
    message: 'Call 2 would fail: it needs more than 12,000,000 gas',
  })
  expect(await refuse(encodeBatch(silent, burner))).toEqual({
    code,
    message: 'Call 1 would fail: it gives no reason',
  })
  const alone = encodeFunctionData({ abi, functionName: 'execute', args: [burner, 0n, '0x'] })
  expect(await refuse(alone)).toEqual({
    code,
    message: 'It would fail: it needs more than 12,000,000 gas',
  })
})

test('error: the estimate refuses an authorization that the sending refuses', async () => {
  const account = await world.openAccount({ wei: 10n ** 18n })
  const draft = world.draft(account, execute(sink))
  const good = draft.eip7702Auth as Draft
  const ask = async (more: Draft) =>
    (
      await world.ask('eth_estimateUserOperationGas', [
        { ...draft, eip7702Auth: { ...good, ...more } },
        entryPoint08Address,
      ])
    ).error
  const stub = { r: `0x${'f'.repeat(31)}${'0'.repeat(33)}`, s: `0x7${'a'.repeat(63)}` }
  expect(await ask({})).toBeUndefined()
  // Clients estimate before the account has signed.
  expect(await ask({ ...stub, yParity: '0x1' })).toBeUndefined()
  const refused: [Draft, string][] = [
    [{ address: `0x${'0'.repeat(40)}` }, 'address must not be zero'],
    [{ ...stub, address: `0x${'0'.repeat(40)}` }, 'address must not be zero'],
    [{ r: '0x1', s: '0x1' }, 'is not signed by the sender'],
    [{ s: `0x${'f'.repeat(63)}0` }, 's is too large'],
    [{ chainId: '0x1' }, 'chainId is for another network'],
    [{ ...stub, nonce: '0x5' }, 'nonce must be 0'],
  ]
  for (const [more, text] of refused)
    expect(await ask(more)).toEqual({ code: -32602, message: `eip7702Auth: ${text}` })
})

test('default: a padded delegation marker, numbers in both forms and null for absent fields are accepted', async () => {
  const account = await world.openAccount({ wei: 10n ** 18n })
  const draft = world.draft(account, execute(sink))
  const estimate = (more: Draft) =>
    world.ask('eth_estimateUserOperationGas', [{ ...draft, ...more }, entryPoint08Address])
  const { result } = await estimate({})
  const auth = draft.eip7702Auth as Draft
  const absent = ['paymaster', 'paymasterData', 'paymasterVerificationGasLimit'] as const
  const forms: Draft[] = [
    { factory: `0x7702${'00'.repeat(18)}` },
    { factory: '0x770200' },
    { callGasLimit: 0, verificationGasLimit: '0x', preVerificationGas: 21_000 },
    { paymasterPostOpGasLimit: '0x', maxFeePerGas: 0 },
    Object.fromEntries(absent.map((name) => [name, null])),
    { eip7702Auth: { ...auth, chainId: 31_337, nonce: 0, v: null } },
  ]
  for (const form of forms) expect(await estimate(form)).toMatchObject({ result })
  const padded = { factory: `0x7702${'00'.repeat(18)}`, factoryData: '0x', callGasLimit: 200_000 }
  const signed = await account.sign({ ...draft, ...(result as Draft), callGasLimit: '0x30d40' })
  expect(await world.send({ ...signed, ...padded })).toMatch(/^0x/)
  for (const factory of [`0x7702${'00'.repeat(19)}`, `0x7702${'00'.repeat(17)}01`])
    expect((await estimate({ factory })).error).toBeDefined()
  for (const callGasLimit of [-1, 1.5, 2 ** 60, '', 'x', true])
    expect((await estimate({ callGasLimit })).error).toMatchObject({ code: -32602 })
})

test('error: the reason of a validation that reverts is said whole', async () => {
  const account = '0x00000000000000000000000000000000000c0deb'
  const reason = `testWallet: dead signature, and ${'more of it '.repeat(8)}`.trim()
  const data = encodeErrorResult({ abi: parseAbi(['error Error(string)']), args: [reason] })
  const length = size(data)
  // Reverts with the bytes after its 12 bytes of code.
  const bytecode = concat([
    '0x61',
    toHex(length, { size: 2 }),
    '0x600c5f3961',
    toHex(length, { size: 2 }),
    '0x5ffd',
    data,
  ])
  await world.anvil.setCode({ address: account, bytecode })
  await world.anvil.setBalance({ address: account, value: 10n ** 18n })
  const operation = {
    ...{ sender: account, nonce: '0x0', callData: '0x', signature: '0x' },
    ...{ callGasLimit: '0x186a0', verificationGasLimit: '0x30d40', preVerificationGas: '0x186a0' },
    ...{ maxFeePerGas: '0xb2d05e00', maxPriorityFeePerGas: '0x3b9aca00' },
  }
  const { error } = await world.ask('eth_sendUserOperation', [operation, entryPoint08Address])
  expect(error).toEqual({ code: -32500, message: `AA23 reverted: ${reason}` })
})
