import { endDelegationRoute, LatchkeyError } from '@latchkey/wire'
import { encodeFunctionData, erc20Abi, type Hex, numberToHex, parseEther, toHex } from 'viem'
import { mnemonicToAccount, signAuthorization } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { createDelegations } from '../../src/flows/delegations.ts'
import { prepareSendCalls } from '../../src/requests/calls/prepareCalls.ts'
import { delegateAddress } from '../../src/smartAccount.ts'
import { createRecoveryKit } from '../../src/wallet/recovery/recoveryKit.ts'
import { browserLock } from '../../src/wallet/vault.ts'
import { startSmartChain } from '../startSmartChain.ts'
import { addUser, failsWith } from '../startVault.ts'
import { createTestRequest } from '../testRequest.ts'
import { openBrowser } from './openBrowser.ts'

const chainId = 31_337
const zero: Hex = `0x${'00'.repeat(20)}`

let world: Awaited<ReturnType<typeof startSmartChain>>
beforeAll(async () => {
  world = await startSmartChain()
})
afterAll(() => world?.stop())
beforeEach(() => vi.stubGlobal('navigator', { locks: { request: browserLock(undefined) } }))

type Authorization = { chainId: Hex; address: Hex; nonce: Hex; r: Hex; s: Hex; yParity: Hex }

const ask = (method: string, params: unknown[]) => world.read(world.chain, method, params)
const readCode = (address: Hex) => ask('eth_getCode', [address, 'latest'])
const readNonce = async (address: Hex) =>
  Number(await ask('eth_getTransactionCount', [address, 'latest']))
/** How many transactions the bundler has sent. */
const countSent = () => readNonce(world.chains.accounts[8]?.address as Hex)

const readBlock = async () => Number(await ask('eth_blockNumber', []))

/** How many authorizations of the zero address the chain has had since a block. */
async function countEndings(since: number): Promise<number> {
  const numbers = Array.from({ length: (await readBlock()) - since }, (_, at) => since + 1 + at)
  const blocks = await Promise.all(
    numbers.map(async (number) => {
      const body = { jsonrpc: '2.0', id: 1, method: 'eth_getBlockByNumber' }
      const response = await fetch(world.chains.urls['eip155:31337'], {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...body, params: [numberToHex(number), true] }),
      })
      return ((await response.json()) as { result: { transactions: Sent[] } }).result.transactions
    }),
  )
  return blocks
    .flat()
    .flatMap(({ authorizationList = [] }) => authorizationList)
    .filter(({ address }) => address === zero).length
}
type Sent = { authorizationList?: { address: string }[] }

/** A browser with a new wallet, which has nothing, in its settings. */
async function open(read = world.read) {
  const browser = await openBrowser(world.server, { userId: await addUser(world.server) })
  const { work, session, store } = browser
  const { addresses } = await work.create({ factors: [{ kind: 'kit', kit: createRecoveryKit() }] })
  const { words } = await work.exportWords({ confirm: 'show the recovery phrase' })
  const owner = mnemonicToAccount(words)
  const privateKey = toHex(owner.getHdKey().privateKey ?? new Uint8Array())
  expect(owner.address).toBe(addresses.eip155)
  const keys = {
    do: (name: keyof typeof work, params: never) => work[name](params),
  } as unknown as Parameters<typeof createDelegations>[0]['keys']
  const facts = { chains: [{ ...world.chain }] } as unknown as Parameters<
    typeof createDelegations
  >[0]['facts']
  const approve = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'approve',
    args: [delegateAddress, 0n],
  })
  /** A batch that the operator pays for. */
  const turnOn = async () => {
    const call = { to: world.chains.addresses['eip155:31337'].usd, data: approve }
    const prepared = await prepareSendCalls(
      createTestRequest({
        method: 'wallet_sendCalls',
        params: [
          {
            version: '2.0.0',
            from: owner.address,
            chainId: numberToHex(chainId),
            atomicRequired: true,
            calls: [call],
          },
        ],
        chain: world.chain,
        read: world.read,
        keys,
        accounts: { ...addresses, eip155: owner.address },
      }),
    )
    await prepared.approve()
    await expect.poll(() => readCode(owner.address)).toBe(`0xef0100${delegateAddress.slice(2)}`)
  }
  /**
   * Signs the authorization in the format of JSON-RPC; every omitted field has the value that the
   * account's browser would sign.
   */
  const sign = async (
    given: { chainId?: number; address?: Hex; nonce?: number } = {},
  ): Promise<Authorization> => {
    const { address = zero, nonce = await readNonce(owner.address) } = given
    const signed = await signAuthorization({
      privateKey,
      chainId: given.chainId ?? chainId,
      contractAddress: address,
      nonce,
    })
    return {
      chainId: numberToHex(given.chainId ?? chainId),
      address,
      nonce: numberToHex(nonce),
      r: signed.r,
      s: signed.s,
      yParity: numberToHex(signed.yParity ?? 0),
    }
  }
  return {
    ...browser,
    address: owner.address,
    settings: createDelegations({ facts, store, session, keys, read }),
    turnOn,
    sign,
    send: (authorization: Authorization, account: string = owner.address) =>
      session.call(endDelegationRoute, { chainId: world.chain.id, account, authorization }),
    spent: async () => {
      const row = await world.server.db
        .selectFrom('sponsored_days')
        .select('wei')
        .where('account', '=', owner.address.toLowerCase())
        .executeTakeFirst()
      return BigInt(row?.wei ?? 0)
    },
  }
}

test('default: an account without currency ends a delegation that a sponsored batch began', async () => {
  const { settings, turnOn, address, spent } = await open()
  await turnOn()
  const before = { spent: await spent(), sent: await countSent() }
  const [found] = await settings.list()
  if (!found) throw new Error('It delegates')
  await settings.end(found)
  expect(await readCode(address)).toBe('0x')
  expect(await settings.list()).toEqual([])
  expect(await ask('eth_getBalance', [address, 'latest'])).toBe('0x0')
  expect((await spent()) - before.spent).toBeGreaterThan(0n)
  expect((await countSent()) - before.sent).toBe(1)
  // It can be turned on again, and off again.
  await turnOn()
  await settings.end(found)
  expect(await readCode(address)).toBe('0x')
})

test('behavior: the operator ends it if the account cannot pay a rollup’s data fee', async () => {
  const refused: unknown[] = []
  const { settings, turnOn, address } = await open(async (chain, method, params) => {
    if (method !== 'eth_sendRawTransaction') return world.read(chain, method, params)
    refused.push(params)
    const reason = 'insufficient funds for gas * price + value: have 1000 want 2000'
    throw new LatchkeyError('RPC_FAILED', { data: { reason } })
  })
  await turnOn()
  await world.fund(address, parseEther('0.01'))
  const before = await countSent()
  const [found] = await settings.list()
  if (!found) throw new Error('It delegates')
  await settings.end(found)
  expect(refused).toHaveLength(1)
  expect(await readCode(address)).toBe('0x')
  expect((await countSent()) - before).toBe(1)
  expect(BigInt(String(await ask('eth_getBalance', [address, 'latest'])))).toBe(parseEther('0.01'))
})

test('behavior: several accounts and repeated requests cost at most one transaction per account', async () => {
  const several = await Promise.all([open(), open(), open()])
  for (const one of several) await one.turnOn()
  const before = { sent: await countSent(), block: await readBlock() }
  const twice = several.flatMap((one) => [one, one])
  const signed = await Promise.all(twice.map(async (one) => one.sign()))
  await Promise.all(
    twice.map((one, index) =>
      one.send(signed[index] as Authorization).catch((error: unknown) => {
        // The first of the two has ended it already.
        if (!failsWith('SIGNING_REFUSED')(error)) throw error
      }),
    ),
  )
  for (const { address } of several) expect(await readCode(address)).toBe('0x')
  expect((await countSent()) - before.sent).toBeLessThanOrEqual(several.length)
  expect(await countEndings(before.block)).toBe(several.length)
})

test('error: nothing but the end of the delegation of this account, on this network, now, is sent', async () => {
  const { turnOn, sign, send, address, spent } = await open()
  const stranger = await open()
  await turnOn()
  await stranger.turnOn()
  const before = { spent: await spent(), sent: await countSent() }
  const good = await sign()
  const nonce = Number(good.nonce)
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
  const lies: readonly (readonly [string, Authorization])[] = [
    ['another contract', await sign({ address: '0x6666666666666666666666666666666666666666' })],
    ['every network', await sign({ chainId: 0 })],
    ['another network', await sign({ chainId: 1 })],
    ['another network by its signature', { ...(await sign({ chainId: 1 })), chainId: '0x7a69' }],
    ['an earlier nonce', await sign({ nonce: nonce - 1 })],
    ['a later nonce', await sign({ nonce: nonce + 1 })],
    ['another account', await stranger.sign({ nonce })],
    [
      'another contract by its signature',
      { ...(await sign({ address: delegateAddress })), address: zero },
    ],
    [
      'the other signature of the same key',
      {
        ...good,
        s: numberToHex(order - BigInt(good.s), { size: 32 }),
        yParity: good.yParity === '0x0' ? '0x1' : '0x0',
      },
    ],
    [
      'a parity that networks read otherwise',
      { ...good, yParity: good.yParity === '0x0' ? '0x1b' : '0x1c' },
    ],
  ]
  for (const [what, authorization] of lies)
    await expect(send(authorization), what).rejects.toSatisfy(failsWith('SIGNING_REFUSED'))
  await expect(send(good)).rejects.toSatisfy(failsWith('RATE_LIMITED'))
  expect(await countSent()).toBe(before.sent)
  expect(await spent()).toBe(before.spent)
  expect(await readCode(address)).not.toBe('0x')
})

test('error: an authorization is used once: not again afterwards, nor after the account delegates again', async () => {
  const { turnOn, sign, send, address } = await open()
  await turnOn()
  const used = await sign()
  await send(used)
  expect(await readCode(address)).toBe('0x')
  const sent = await countSent()
  await expect(send(used)).rejects.toSatisfy(failsWith('SIGNING_REFUSED'))
  // An account that does not delegate has nothing to end.
  await expect(send(await sign())).rejects.toSatisfy(failsWith('SIGNING_REFUSED'))
  expect(await countSent()).toBe(sent)
  await turnOn()
  await expect(send(used)).rejects.toSatisfy(failsWith('SIGNING_REFUSED'))
  expect(await readCode(address)).not.toBe('0x')
})

test('error: beyond the account’s limit nothing is sent, and the settings report missing currency', async () => {
  const { turnOn, settings, address } = await open()
  await turnOn()
  await world.server.db
    .updateTable('sponsored_days')
    // More than what the operation that turned it on gives back.
    .set({ wei: String(parseEther('2')) })
    .where('account', '=', address.toLowerCase())
    .execute()
  const sent = await countSent()
  const [found] = await settings.list()
  if (!found) throw new Error('It delegates')
  await expect(settings.end(found)).rejects.toSatisfy(failsWith('INSUFFICIENT_GAS'))
  expect(await countSent()).toBe(sent)
  expect(await settings.list()).toHaveLength(1)
  // If no operator pays for accounts, no request is sent, and nothing is signed.
  await expect(settings.end({ ...found, smartAccounts: {} })).rejects.toSatisfy(
    failsWith('INSUFFICIENT_GAS'),
  )
})

test('error: only a device that holds the wallet may ask, and only with its session', async () => {
  const { turnOn, sign, address } = await open()
  const stranger = await open()
  await turnOn()
  const authorization = await sign()
  const sent = await countSent()
  await expect(stranger.send(authorization, address)).rejects.toSatisfy(
    failsWith('WALLET_NOT_ENROLLED'),
  )
  const body = { chainId: world.chain.id, account: address, authorization }
  // A proof without a session, and neither.
  expect(await stranger.device.prove(endDelegationRoute.path, body)).toMatchObject({
    status: 401,
    json: { code: 'SIGNED_OUT' },
  })
  const { url } = world.server
  const bare = await fetch(`${url}${endDelegationRoute.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify(body),
  })
  expect(bare.status).toBe(401)
  expect(await countSent()).toBe(sent)
  expect(await readCode(address)).not.toBe('0x')
})
