import { type Address, parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Mempool, openMempool } from '../../../test/openMempool.ts'
import { checkOperation } from './checkOperation.ts'
import { entryPoint } from './userOperation.ts'

const at = (number: number) => `0x${number.toString(16).padStart(40, '0')}` as Address
const hex = (address: Address) => address.slice(2).toLowerCase()

const [loop, writer, taker, delegated] = [at(0xe0001), at(0xe0002), at(0xe0003), at(0xe0004)]
const [helper, undefinedCode, invalidCode] = [at(0xe0005), at(0xe0006), at(0xe0007)]
const none = `73${'ab'.repeat(20)}`
const ep = `73${hex(entryPoint)}`
const push = (address: Address) => `73${hex(address)}`
/** Calls an address without data; `rest` is pushed before it. */
const call = (address: string, { op = 'f1', wei = '5f', gas = '5a' } = {}) =>
  `5f5f5f5f${/f[12]/.test(op) ? wei : ''}${address}${gas}${op}50`
const little = { gas: '6107d0' }
/** Calls the EntryPoint with a selector and an address. */
const callEntryPoint = (selector: string, of: string, wei = '5f') =>
  `63${selector}60e01b5f52${of}6004525f5f60245f${wei}${ep}5af150`

/** Pays the missing deposit, and accepts the operation. */
const good = '5f5f5f5f604435335af1505f5f5260205ff3'
/** The same of a paymaster: without a context. */
const goodPaymaster = '60405f525f6020525f60405260605ff3'

let pool: Mempool
beforeAll(async () => {
  pool = await openMempool()
  const codes = {
    [loop]: '5b5f56',
    [writer]: '60015f55',
    [taker]: '00',
    [undefinedCode]: '0c',
    [invalidCode]: 'fe',
    [delegated]: `ef0100${hex(taker)}`,
  }
  for (const [address, code] of Object.entries(codes)) await setCode(address as Address, code)
  await pool.anvil.setBalance({ address: helper, value: parseEther('1') })
})
afterAll(() => pool?.stop())

const setCode = (address: Address, code: string) =>
  pool.anvil.setCode({ address, bytecode: `0x${code}` })

let last = 0xf0000
const openAccount = async (code: string) => {
  const account = at(++last)
  await setCode(account, code)
  await pool.anvil.setBalance({ address: account, value: parseEther('1') })
  return account
}

/**
 * The verdict on an account whose validation begins with `code`: directly, in a contract that it
 * calls, or in a library.
 */
async function judge(code: string, form: string) {
  await setCode(helper, `${code}00`)
  const first = {
    direct: code,
    call: call(push(helper)),
    library: call(push(helper), { op: 'f4' }),
  }
  const account = await openAccount(`${first[form as keyof typeof first]}${good}`)
  return checkOperation(pool.bundler, pool.makePlain(account, { verificationGasLimit: 500_000n }))
}

const forms = ['direct', 'call', 'library']
const refusal = (text: string) => ({ code: -32502, message: expect.stringContaining(text) })

const opcodes = {
  ORIGIN: '3250',
  GASPRICE: '3a50',
  BLOCKHASH: '5f4050',
  COINBASE: '4150',
  TIMESTAMP: '4250',
  NUMBER: '4350',
  DIFFICULTY: '4450',
  GASLIMIT: '4550',
  SELFBALANCE: '4750',
  BALANCE: '303150',
  BASEFEE: '4850',
  BLOBHASH: '5f4950',
  BLOBBASEFEE: '4a50',
  GAS: '5a50',
  CREATE: '5f5f5ff050',
  CREATE2: '5f5f5f5ff550',
}

describe.each(forms)('%s', (form) => {
  test.each(Object.entries(opcodes))('error: %s is named (OP-011)', async (name, code) => {
    await expect(judge(code, form)).rejects.toMatchObject({
      code: -32502,
      message: `account uses banned opcode: ${name}`,
    })
  })

  test.each([
    ['OP-013: an opcode that is none', call(push(undefinedCode), little), 'opcode: INVALID'],
    ['OP-011: INVALID', call(push(invalidCode), little), 'opcode: INVALID'],
    ['OP-020: a call that runs out of gas', call(push(loop), { gas: '612710' }), 'out of gas'],
    ['OP-020: SSTORE below 2,300', call(push(writer), { gas: '6108fb' }), 'out of gas'],
    ['OP-041: CALL', call(none), 'which has none'],
    ['OP-041: CALLCODE', call(none, { op: 'f2' }), 'which has none'],
    ['OP-041: DELEGATECALL', call(none, { op: 'f4' }), 'which has none'],
    ['OP-041: STATICCALL', call(none, { op: 'fa' }), 'which has none'],
    ['OP-041: EXTCODESIZE', `${none}3b50`, 'which has none'],
    ['OP-041: EXTCODEHASH', `${none}3f50`, 'which has none'],
    ['OP-041: EXTCODECOPY', `60025f5f${none}3c`, 'which has none'],
    ['OP-054: EXTCODESIZE', `${ep}3b50`, 'uses the EntryPoint'],
    ['OP-054: EXTCODEHASH', `${ep}3f50`, 'uses the EntryPoint'],
    ['OP-054: EXTCODECOPY', `60025f5f${ep}3c`, 'uses the EntryPoint'],
    ['OP-054: balanceOf', callEntryPoint('70a08231', '30'), 'uses the EntryPoint'],
    ['OP-054: incrementNonce', callEntryPoint('0bd28e3b', '6001'), 'uses the EntryPoint'],
    ['OP-054: DELEGATECALL', call(ep, { op: 'f4' }), 'uses the EntryPoint'],
    ['OP-054: STATICCALL', call(ep, { op: 'fa', ...little }), 'uses the EntryPoint'],
    [
      'OP-052: depositTo of another',
      callEntryPoint('b760faf9', '5f', '6001'),
      'uses the EntryPoint',
    ],
    ['OP-061: value', call(push(taker), { wei: '6001' }), 'sends value'],
    ['OP-061: value by CALLCODE', call(push(taker), { op: 'f2', wei: '6001' }), 'sends value'],
    ['AUTH: code of another account that delegates', call(push(delegated)), 'delegates'],
  ])('error: %s', async (_, code, text) => {
    await expect(judge(code, form)).rejects.toMatchObject(refusal(text))
  })

  test.each([
    [
      'GAS before each kind of call (OP-012)',
      ['f1', 'f2', 'f4', 'fa'].map((op) => call(push(taker), { op })).join(''),
    ],
    [
      'precompiles, even if a call of one has too little gas (OP-062)',
      [1, 2, 3, 4, 5, 6, 7, 8, 9]
        .map((one) => call(`60${one.toString().padStart(2, '0')}`, { gas: '6103e8' }))
        .join(''),
    ],
    ['code of a contract', `${push(taker)}3b50${push(taker)}3f50`],
    ['EXTCODESIZE of the EntryPoint before ISZERO (OP-051)', `${ep}3b1550`],
  ])('default: %s', async (_, code) => {
    expect(await judge(code, form)).toMatchObject({ hash: expect.stringMatching(/^0x/) })
  })
})

test('default: the account may deposit for itself, by depositTo or without data (OP-052, OP-053)', async () => {
  const code = `${callEntryPoint('b760faf9', '30', '6001')}${call(ep, { wei: '6001' })}`
  expect(await judge(code, 'direct')).toMatchObject({ hash: expect.any(String) })
  expect(await judge(code, 'library')).toMatchObject({ hash: expect.any(String) })
  await expect(judge(call(ep, { wei: '6001' }), 'call')).rejects.toMatchObject(
    refusal('uses the EntryPoint'),
  )
})

test.each([
  ['SLOAD', (slot: string) => `${slot}5450`],
  ['SSTORE', (slot: string) => `6001${slot}55`],
  ['TLOAD', (slot: string) => `${slot}5c50`],
  ['TSTORE', (slot: string) => `6001${slot}5d`],
])(
  'error: %s of others is refused unless the slot belongs to the account (STO-010, STO-021, OP-070)',
  async (_, use) => {
    expect(await judge(use('5f'), 'direct')).toMatchObject({ hash: expect.any(String) })
    expect(await judge(use('5f'), 'library')).toMatchObject({ hash: expect.any(String) })
    await expect(judge(use('5f'), 'call')).rejects.toMatchObject(refusal('uses storage of'))
    // A mapping with the caller as its key, 128 and 129 slots after it.
    const key = '335f525f60205260405f20'
    expect(await judge(use(`${key}608001`), 'call')).toMatchObject({ hash: expect.any(String) })
    await expect(judge(use(`${key}608101`), 'call')).rejects.toMatchObject(
      refusal('uses storage of'),
    )
  },
)

/** A paymaster of this code with a deposit. */
async function openPaymaster(code: string): Promise<Address> {
  const paymaster = at(++last)
  await setCode(paymaster, code)
  await pool.deposit(paymaster, parseEther('1'))
  return paymaster
}

/** The verdict on an operation that a paymaster pays for. */
const checkPaid = (account: Address, paymaster: Address) =>
  checkOperation(
    pool.bundler,
    pool.makePlain(account, {
      paymaster,
      paymasterVerificationGasLimit: 200_000n,
      paymasterPostOpGasLimit: 50_000n,
      paymasterData: '0x',
    }),
  )

const judgePaymaster = async (code: string) =>
  checkPaid(await openAccount(good), await openPaymaster(code))

test('error: a paymaster is held to the same rules, and returns no context without a stake (EREP-050)', async () => {
  expect(await judgePaymaster(goodPaymaster)).toMatchObject({ deposit: parseEther('1') })
  await expect(judgePaymaster(`4250${goodPaymaster}`)).rejects.toMatchObject({
    message: 'paymaster uses banned opcode: TIMESTAMP',
  })
  await expect(judgePaymaster(`5f5450${goodPaymaster}`)).rejects.toMatchObject(
    refusal('paymaster uses storage of'),
  )
  const withContext = '60405f525f60205260016040525f60605260805ff3'
  await expect(judgePaymaster(withContext)).rejects.toMatchObject(refusal('returns a context'))
})

test('error: a paymaster that delegates is refused (EIP-7702)', async () => {
  await setCode(helper, goodPaymaster)
  await expect(judgePaymaster(`ef0100${hex(helper)}`)).rejects.toMatchObject(
    refusal('paymaster delegates'),
  )
})

test('security: a traced validation gets the same arguments as from the EntryPoint', async () => {
  // Uses TIMESTAMP only if it has to pay more than one wei.
  const sly = await openAccount(`60016044351115600c5742505b${good}`)
  await expect(checkOperation(pool.bundler, pool.makePlain(sly))).rejects.toMatchObject({
    message: 'account uses banned opcode: TIMESTAMP',
  })
})

test('security: a paymaster sees what the account wrote just before, also when it is traced', async () => {
  const validates = '5f3560e01c6352b7512c14601a57'
  const notes = '335f5260405f206001905500'
  const looks = '5b6064355f5260405f205415602b5742505b'
  const paymaster = await openPaymaster(`${validates}${notes}${looks}${goodPaymaster}`)
  const honest = await openAccount(good)
  expect(await checkPaid(honest, paymaster)).toMatchObject({ hash: expect.any(String) })
  const sly = await openAccount(`${call(push(paymaster))}${good}`)
  await expect(checkPaid(sly, paymaster)).rejects.toMatchObject({
    message: 'paymaster uses banned opcode: TIMESTAMP',
  })
})

test('security: a loop is stopped after some steps, however much gas it has', async () => {
  const rounds = '61c3505b6001900380600357'
  const account = await openAccount(`${rounds}50${good}`)
  const operation = pool.makePlain(account, { verificationGasLimit: 1_490_000n })
  await expect(checkOperation(pool.bundler, operation)).rejects.toMatchObject(
    refusal('more than 12000 steps'),
  )
})

const big = '62061a80'
test.each([
  ['the input of a call of the EntryPoint', `5f${big}525f5f${big}5f5f${ep}5af150`],
  ['the input of any call', `5f${big}525f5f${big}5f5f${push(taker)}5af150`],
  ['what is hashed', `60ff5f52${'6102005f2050'.repeat(1_500)}`],
  [
    'the code of many contracts',
    [...Array(17).keys()].map((n) => `${push(at(0xd0000 + n))}3b50`).join(''),
  ],
])('security: %s counts as steps if it is large', async (_what, code) => {
  for (let n = 0; n < 17; n++) await setCode(at(0xd0000 + n), '00'.repeat(24_576))
  const account = await openAccount(`${code}${good}`)
  const operation = pool.makePlain(account, { verificationGasLimit: 1_490_000n })
  await expect(checkOperation(pool.bundler, operation)).rejects.toMatchObject(
    refusal('more than 12000 steps'),
  )
})

test('error: without a node that traces, only known accounts are taken', async () => {
  const account = await openAccount(good)
  const traceless = pool.makeBundler((ask) => async (calls) => {
    const replies = await ask(calls)
    const error = { code: -32601, message: 'the method does not exist' }
    return replies.map((reply, index) =>
      calls[index]?.method === 'debug_traceCall' ? { error } : reply,
    )
  })
  await expect(checkOperation(traceless, pool.makePlain(account))).rejects.toMatchObject(
    refusal('cannot trace'),
  )
  const key = generatePrivateKey()
  const known = await pool.makeOperation({ key })
  expect(privateKeyToAccount(key).address.toLowerCase()).toBe(known.sender)
  expect(await checkOperation(traceless, known)).toMatchObject({ hash: expect.any(String) })
})
