import { grantSessionRoute, readSessionsRoute } from '@latchkey/wire'
import { permissionContracts } from '@latchkey/wire/permissions'
import {
  encodeFunctionData,
  erc20Abi,
  type Hex,
  numberToHex,
  parseAbi,
  parseEther,
  zeroHash,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createOwnRequest, startSmartChain } from '../../../test/startSmartChain.ts'
import { prepareRequest, simulated } from '../../../test/testRequest.ts'
import { permissionDelegate } from '../../smartAccount.ts'
import { createMemoryStore } from '../../wallet/keyStore.ts'
import type { ApprovalRequest } from '../approvalRequest.ts'
import { getBatchCapabilities } from '../calls/answerCalls.ts'
import { createCallsAccess } from '../calls/callsAccess.ts'
import { prepareSendCalls } from '../calls/prepareCalls.ts'

let world: Awaited<ReturnType<typeof startSmartChain>>
beforeAll(async () => {
  world = await startSmartChain()
})
afterAll(() => world?.stop())

/** The chain of a frame whose server has smart sessions. */
const permitting = () => ({
  ...world.chain,
  smartAccounts: { ...world.chain.smartAccounts, permissions: true },
})
const usd = () => world.chains.addresses['eip155:31337'].usd
const seconds = () => Math.floor(Date.now() / 1_000)
const day = 86_400
const sessionKey = privateKeyToAccount(generatePrivateKey())
const signer = {
  type: 'keys',
  data: { keys: [{ type: 'secp256k1', publicKey: sessionKey.publicKey }] },
}
const native = (allowance: bigint, more: object = {}) => ({
  type: 'native-token-recurring-allowance',
  data: { allowance: numberToHex(allowance), start: seconds(), period: day, ...more },
})
const ask = (more: object = {}) => ({
  chainId: '0x7a69',
  expiry: seconds() + day,
  signer,
  permissions: [native(parseEther('0.1'))],
  policies: [],
  version: 2,
  ...more,
})
const call = (data: object) => ({
  type: 'contract-call',
  data: {
    address: usd(),
    abi: [{ type: 'function', name: 'mint', inputs: [{ type: 'address' }, { type: 'uint256' }] }],
    functions: [{ functionName: 'mint', args: [null, { operator: 'LESS_THAN', value: 5 }] }],
    ...data,
  },
})

/** A new account with money that has not delegated yet. */
async function open() {
  const key = generatePrivateKey()
  const { address } = privateKeyToAccount(key)
  await world.fund(address, parseEther('1'))
  const calls = createCallsAccess(createMemoryStore(), {
    origin: 'https://app.example',
    account: address,
  })
  const request = (method: string, params: unknown, more: Partial<ApprovalRequest> = {}) =>
    createOwnRequest(world, { key, calls, method, params, chain: permitting(), ...more })
  const grant = (asked: object, more: Partial<ApprovalRequest> = {}) =>
    prepareRequest(request('wallet_grantPermissions', [asked], more))
  return { address, request, grant }
}

const text = (view: object) => JSON.stringify(view)
const errorCode = (work: Promise<unknown>) =>
  work.then(
    () => 'none',
    (error) => error.code,
  )
const readSession = async (address: string) => {
  const account = `eip155:31337:${address}`
  return (await world.post(readSessionsRoute, { account, projectId: 'local' })).sessions
}

test('default: a grant shows its limits and end, delegates again with consent, and ends on the chain', async () => {
  const { address, grant, request } = await open()
  const asked = ask()
  const prepared = await grant(asked)
  const shown = text(prepared.view)
  for (const part of [
    'Let this site act without asking you',
    'Up to 0.1 ETH each day',
    'Total limit',
    'Until',
    'Your account on this network',
    sessionKey.publicKey,
    'One',
  ])
    expect(shown).toContain(part)
  expect(prepared.view.warnings.some(({ level }) => level === 'danger')).toBe(true)
  expect(await readSession(address)).toEqual([])
  const granted = (await prepared.approve()) as { context: string; permissions: object[] }
  expect(granted).toMatchObject({ permissions: asked.permissions, expiry: asked.expiry, address })
  const [session] = await readSession(address)
  expect(session).toMatchObject({
    pci: granted.context,
    origin: 'https://app.example',
    revokedAt: null,
    uses: [{ index: 0, used: '0' }],
  })
  const code = await world.read(world.chain, 'eth_getCode', [address, 'latest'])
  expect(code).toBe(`0xef0100${permissionDelegate.slice(2)}`)

  // Batches work as before.
  const batch = {
    version: '2.0.0',
    chainId: '0x7a69',
    atomicRequired: true,
    calls: [
      { to: sink, value: '0x1' },
      { to: sink, value: '0x2' },
    ],
  }
  const sent = await prepareSendCalls(request('wallet_sendCalls', [batch]))
  expect(text(sent.view)).not.toContain('Turns on')
  await sent.approve()
  await expect.poll(() => world.read(world.chain, 'eth_getBalance', [sink, 'latest'])).toBe('0x3')

  // Sponsoring works as before too: without money, the account makes calls that the operator
  // sponsors.
  await world.fund(address, 0n)
  const approve = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [sink, 7n] })
  const sponsored = await prepareSendCalls(
    request('wallet_sendCalls', [{ ...batch, calls: [{ to: usd(), data: approve }] }]),
  )
  expect(text(sponsored.view)).toContain('None: Shop pays it')
  await sponsored.approve()
  const args = [address, sink] as const
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'allowance', args })
  await expect
    .poll(() => world.read(world.chain, 'eth_call', [{ to: usd(), data }, 'latest']))
    .toBe(numberToHex(7n, { size: 32 }))
  await world.fund(address, parseEther('1'))

  const prepareEnd = (fetchSimulation: ApprovalRequest['fetchSimulation']) =>
    prepareRequest(
      request('wallet_revokePermissions', [{ context: granted.context }], { fetchSimulation }),
    )
  const leaves = { token: null, id: null, amount: '-5' }
  const robbed = await prepareEnd(async () => ({
    asked: 1,
    outcomes: [simulated({ changes: [leaves] })],
  }))
  expect(robbed.view.warnings).toMatchObject([{ level: 'danger' }])
  const end = await prepareEnd(world.fetchSimulation)
  expect(text(end.view)).toContain('https://app.example')
  expect(text(end.view.place)).toContain('No other changes found')
  expect(end.view.warnings).toEqual([])
  await end.approve()
  expect((await readSession(address))[0]?.revokedAt).not.toBeNull()
})
const sink: Hex = '0x00000000000000000000000000000000000c0de7'

test('simulation: the first grant is simulated with the contract that it turns on, not a page’s', async () => {
  const { grant } = await open()
  const asked: unknown[] = []
  const prepared = await grant(ask({ delegation: 'ours', delegate: sink, stateOverrides: {} }), {
    fetchSimulation: async (given) => {
      asked.push(given.delegation)
      return world.fetchSimulation(given)
    },
  })
  expect(asked).toEqual(['permissions'])
  expect(text(prepared.view.place)).toContain('No other changes found')
  expect(text(prepared.view.warnings)).not.toContain('simulated')
  const leaves = { token: null, id: null, amount: '-5' }
  const robbed = await grant(ask(), {
    fetchSimulation: async () => ({ asked: 1, outcomes: [simulated({ changes: [leaves] })] }),
  })
  expect(text(robbed.view.warnings)).toContain('0.000000000000000005 ETH')
  expect(text(robbed.view.place)).not.toContain('No other changes found')
})

test('error: if no node can run the code, the card of the first grant warns that it was not simulated', async () => {
  const { grant } = await open()
  for (const fetchSimulation of [
    async () => ({ asked: 1, outcomes: [] }),
    () => Promise.reject(new Error('offline')),
  ])
    expect(text((await grant(ask(), { fetchSimulation })).view.warnings)).toContain(
      'could not be simulated',
    )
})

test('behavior: the owner lowers an allowance, and the site gets the lower one', async () => {
  const { grant } = await open()
  const prepared = await grant(ask())
  expect(prepared.view.editable).toMatchObject({ max: String(parseEther('0.1')), symbol: 'ETH' })
  const lower = await prepared.edit?.(parseEther('0.05'))
  expect(text(lower?.view ?? {})).toContain('Up to 0.05 ETH each day')
  expect(lower?.view.editable?.max).toBe(String(parseEther('0.1')))
  const given = (await lower?.approve()) as { permissions: [{ data: { allowance: string } }] }
  expect(BigInt(given.permissions[0].data.allowance)).toBe(parseEther('0.05'))
  for (const amount of [0n, parseEther('0.2')])
    expect(await errorCode(prepared.edit?.(amount) ?? Promise.resolve())).toBe('INVALID_PARAMS')
})

test('param: ERC-7715 as it is today means the same', async () => {
  const { grant, address } = await open()
  const usd = world.chains.addresses['eip155:31337'].usd
  const prepared = await grant({
    chainId: '0x7a69',
    address,
    signer,
    permission: {
      type: 'erc20-token-periodic',
      isAdjustmentAllowed: false,
      data: { tokenAddress: usd, periodAmount: numberToHex(2_500_000n), periodDuration: 7 * day },
    },
    rules: [{ type: 'expiry', data: { timestamp: seconds() + 3 * day } }],
  })
  expect(text(prepared.view)).toMatch(/Up to 2\.5 \w+ each week/)
  expect(prepared.view.editable).toBeUndefined()
  expect(prepared.edit).toBeUndefined()
})

test('param: a beginning in milliseconds is the same time', async () => {
  const { grant } = await open()
  const start = seconds()
  const groups = async (more: object) => {
    const permissions = [native(parseEther('0.1'), more)]
    const { view } = await grant(ask({ expiry: start + day, permissions }))
    return text(view.groups)
  }
  expect(await groups({ start: 1_000 * start + 999 })).toBe(await groups({ start }))
})

test('param: two keys, including the server’s key for an opened session, grant that session', async () => {
  const { address, grant } = await open()
  const asked = ask()
  const origin = 'http://localhost:5173'
  const response = await fetch(
    `${world.appUrl}/v1/sessions/eip155:31337:${address}?projectId=local&v=2`,
    {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin },
      body: JSON.stringify(asked),
    },
  )
  const { pci, key } = (await response.json()) as { pci: string; key: { publicKey: Hex } }
  const both = { ...signer, data: { keys: [key, ...signer.data.keys] } }
  const prepared = await grant({ ...asked, signer: both }, { origin })
  expect(text(prepared.view)).toContain(sessionKey.publicKey)
  expect(text(prepared.view)).not.toContain(key.publicKey)
  // A smaller grant would be another session than the session that the page has.
  expect(prepared.view.editable).toBeUndefined()
  expect(await prepared.approve()).toMatchObject({ context: pci, signer: both })
  expect(await readSession(address)).toMatchObject([{ pci, origin }])
  const foreign = { origin: 'https://evil.example' }
  expect(await errorCode(grant({ ...asked, signer: both }, foreign))).toBe('SIGNING_REFUSED')
})

test('error: a server that lies about which key is its own hides no key of a site', async () => {
  const { grant } = await open()
  const key = { type: 'secp256k1', publicKey: sessionKey.publicKey }
  const post: ApprovalRequest['post'] = async (route, body) => {
    const result = await world.post(route, body)
    if (route.path === grantSessionRoute.path) Object.assign(result as object, { key })
    return result
  }
  expect(text((await grant(ask(), { post })).view)).toContain(sessionKey.publicKey)
})

test('param: of a contract call, function, bytes, arguments and value are shown, and that the rest is free', async () => {
  const { grant } = await open()
  const { view } = await grant(ask({ permissions: [call({})] }))
  const shown = text(view)
  for (const part of [
    'mint(address,uint256) 0x40c10f19',
    'Argument 2 (uint256)',
    'is less than 5',
    'All other arguments',
    'Only the amount of ETH is limited',
  ])
    expect(shown).toContain(part)
  expect(view.warnings.some(({ isUnlimited }) => isUnlimited)).toBe(true)
})

test('param: a required address argument is shown in full in a separate row', async () => {
  const { grant, address } = await open()
  const args = [{ operator: 'EQUAL', value: address.toLowerCase() }]
  const functions = [{ functionName: 'mint', args }]
  const { view } = await grant(ask({ permissions: [call({ functions })] }))
  expect(view.groups[0]?.rows).toContainEqual({ label: 'Argument 1 (address)', address })
})

test('error: refuses false, missing and additional fields', async () => {
  const { grant, address } = await open()
  const usd = world.chains.addresses['eip155:31337'].usd
  const other = '0x00000000000000000000000000000000000000aa'
  const max = `0x${'f'.repeat(64)}`
  const hostile: [object, string][] = [
    [{ address: other }, 'UNAUTHORIZED'],
    [{ chainId: '0x1' }, 'CHAIN_NOT_SUPPORTED'],
    [{ expiry: undefined }, 'INVALID_PARAMS'],
    [{ expiry: seconds() - 1 }, 'SIGNING_REFUSED'],
    [{ expiry: seconds() + 400 * day }, 'SIGNING_REFUSED'],
    [{ policies: [{ type: 'call-limit', data: {} }] }, 'INVALID_PARAMS'],
    [{ permissions: [] }, 'INVALID_PARAMS'],
    [{ permissions: [{ type: 'native-token-stream', data: {} }] }, 'INVALID_PARAMS'],
    [{ permissions: [native(1n, { note: 'free' })] }, 'INVALID_PARAMS'],
    [{ permissions: [native(0n)] }, 'SIGNING_REFUSED'],
    [
      { permissions: [{ ...native(1n), data: { ...native(1n).data, allowance: max } }] },
      'SIGNING_REFUSED',
    ],
    [{ permissions: [call({ address })] }, 'SIGNING_REFUSED'],
    [{ permissions: [call({ address: permissionDelegate })] }, 'SIGNING_REFUSED'],
    [{ permissions: [call({ functions: [{ functionName: 'burn' }] })] }, 'SIGNING_REFUSED'],
    [
      { permissions: [call({ functions: [{ functionName: 'mint', operation: 'DELEGATECALL' }] })] },
      'INVALID_PARAMS',
    ],
    [
      {
        permissions: [
          call({
            abi: [
              { type: 'function', name: 'harmless', inputs: [] },
              { type: 'function', name: 'harmless', inputs: [{ type: 'address' }] },
            ],
            functions: [{ functionName: 'harmless' }],
          }),
        ],
      },
      'SIGNING_REFUSED',
    ],
    [
      {
        permissions: [
          call({
            abi: [{ type: 'function', name: 'many_msg_babbage', inputs: [{ type: 'bytes1' }] }],
            functions: [{ functionName: 'many_msg_babbage' }],
          }),
        ],
      },
      'SIGNING_REFUSED',
    ],
    [
      {
        permissions: [
          { type: 'erc20-recurring-allowance', data: { token: address, ...native(1n).data } },
        ],
      },
      'SIGNING_REFUSED',
    ],
    [
      { signer: { type: 'keys', data: { keys: [...signer.data.keys, ...signer.data.keys] } } },
      'SIGNING_REFUSED',
    ],
    [{ signer: { type: 'account', data: { address: usd } } }, 'INVALID_PARAMS'],
  ]
  for (const [change, code] of hostile)
    expect([await errorCode(grant(ask(change))), text(change)]).toEqual([code, text(change)])
  expect(await errorCode(grant(ask(), { chain: world.chain }))).toBe('UNSUPPORTED_METHOD')
})

test('error: warnings name an allowance of all there is, of a second, and of more than 30 days', async () => {
  const { grant } = await open()
  const { view } = await grant(
    ask({
      expiry: seconds() + 40 * day,
      permissions: [native(parseEther('0.1'), { period: 1 })],
    }),
  )
  const warned = view.warnings.map((one) => one.text).join()
  expect(warned).toContain('this is all your ETH')
  expect(warned).toContain('more than 30 days')
  expect(warned).toContain('at least every hour')
})

test('error: an allowance that a page splits is compared with the balance as a whole', async () => {
  const { grant } = await open()
  const warned = async (parts: number) => {
    const permissions = Array.from({ length: parts }, () => native(parseEther('0.3')))
    return (await grant(ask({ permissions }))).view.warnings.filter(
      ({ isUnlimited, text }) => isUnlimited && text.includes('this is all your ETH'),
    ).length
  }
  expect(await warned(1)).toBe(0)
  expect(await warned(4)).toBe(1)
})

test('error: value that each call can send again is named as all of it', async () => {
  const { grant } = await open()
  const functions = [{ functionName: 'mint', valueLimit: numberToHex(parseEther('0.1')) }]
  const { warnings } = (await grant(ask({ permissions: [call({ functions })] }))).view
  const texts = warnings.filter(({ isUnlimited }) => isUnlimited).map((one) => one.text)
  expect(texts.join()).toContain('as often as it likes: it can spend everything you have')
  expect(texts.join()).not.toContain('Only the amount of ETH is limited')
})

test('error: bits above a number’s type do not make it greater', async () => {
  const { grant } = await open()
  const asked = call({
    abi: [{ type: 'function', name: 'play', inputs: [{ type: 'uint8' }] }],
    functions: [{ functionName: 'play', args: [{ operator: 'GREATER_THAN', value: 5 }] }],
  })
  const shown = text((await grant(ask({ permissions: [asked] }))).view)
  expect(shown).toContain('is more than 5')
  expect(shown).toContain('is less than 256')
})

test('error: functions of other kinds of tokens that move all of them are refused', async () => {
  const { grant } = await open()
  const spending: [string, string[]][] = [
    ['transfer', ['address', 'uint256', 'bytes']],
    ['setOperator', ['address', 'bool']],
    ['redeem', ['uint256', 'address', 'address']],
    ['push', ['address', 'uint256']],
    ['approveDelegation', ['address', 'uint256']],
  ]
  for (const [name, inputs] of spending) {
    const abi = [{ type: 'function', name, inputs: inputs.map((type) => ({ type })) }]
    const permissions = [call({ abi, functions: [{ functionName: name }] })]
    expect([name, await errorCode(grant(ask({ permissions })))]).toEqual([name, 'SIGNING_REFUSED'])
  }
})

test('error: a page cannot grant by a call of the account to itself, nor by a batch', async () => {
  const { address, request } = await open()
  const data = encodeFunctionData({
    abi: [
      {
        type: 'function',
        name: 'grantPermissions',
        stateMutability: 'nonpayable',
        inputs: [{ name: 'hashes', type: 'bytes32[]' }],
        outputs: [],
      },
    ],
    args: [[`0x${'1'.repeat(64)}`]],
  })
  const single = request('eth_sendTransaction', [{ from: address, to: address, data }])
  expect(await errorCode(prepareRequest(single))).toBe('REQUEST_NOT_ALLOWED')
  const calls = [{ to: address, data }]
  const batch = request('wallet_sendCalls', [{ version: '2.0.0', chainId: '0x7a69', calls }])
  expect(await errorCode(prepareRequest(batch))).toBe('REQUEST_NOT_ALLOWED')
})

test('error: a page cannot hide calls in a call of the delegation manager, alone or in a batch', async () => {
  const { address, request, grant } = await open()
  await (await grant(ask())).approve()
  const to = permissionContracts.manager
  const hidden = `${sink}${numberToHex(parseEther('0.5'), { size: 32 }).slice(2)}` as Hex
  const data = encodeFunctionData({
    abi: parseAbi([
      'function redeemDelegations(bytes[] contexts, bytes32[] modes, bytes[] executions)',
    ]),
    // A list of no delegations: the manager lets any caller execute it.
    args: [[`0x${'20'.padStart(64, '0')}${'0'.repeat(64)}`], [zeroHash], [hidden]],
  })
  // The chain would do it.
  expect(await world.read(world.chain, 'eth_call', [{ from: address, to, data }, 'latest'])).toBe(
    '0x',
  )
  const single = request('eth_sendTransaction', [{ from: address, to, data }])
  expect(await errorCode(prepareRequest(single))).toBe('REQUEST_NOT_ALLOWED')
  const calls = [{ to, data }]
  const batch = request('wallet_sendCalls', [{ version: '2.0.0', chainId: '0x7a69', calls }])
  expect(await errorCode(prepareRequest(batch))).toBe('REQUEST_NOT_ALLOWED')
})

test('error: a session that is not there, or of another account, cannot be ended', async () => {
  const { request } = await open()
  for (const context of ['00000000-0000-4000-8000-000000000001', undefined])
    expect(
      await errorCode(prepareRequest(request('wallet_revokePermissions', [{ context }]))),
    ).toBe('INVALID_PARAMS')
})

test('default: the capability lists the supported permissions', async () => {
  const { address } = await open()
  const access = createCallsAccess(createMemoryStore(), { origin: '', account: address })
  const asked = {
    chains: [permitting()],
    account: address,
    access,
    read: world.read,
    now: Date.now,
  }
  expect(await getBatchCapabilities({ ...asked, params: [address] })).toMatchObject({
    '0x7a69': { permissions: { supported: true, signerTypes: ['keys'] } },
  })
})
