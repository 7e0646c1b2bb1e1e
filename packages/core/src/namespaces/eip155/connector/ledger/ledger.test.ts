import { Socket } from 'node:net'
import { type Chains, startChains } from '@latchkey/dev'
import { type Allowance, readFeeRates } from '@latchkey/wire'
import Eth from '@ledgerhq/hw-app-eth'
import {
  type Hex,
  hashDomain,
  hashStruct,
  parseTransaction,
  serializeTransaction,
  stringToHex,
  type TransactionSerializable,
  verifyMessage,
  verifyTypedData,
} from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { bob } from '../../../../../test/fakeWallet.ts'
import {
  addressOf,
  bipPath,
  createReplay,
  device,
  type Exchange,
  failing,
  hashesSigned,
  livePath,
  mail,
  mailJson,
  messageSigned,
  status,
  transactionSigned,
  typedDataSigned,
} from '../../../../../test/ledgerExchanges.ts'
import { rpc } from '../../../../../test/rpc.ts'
import { createBrowser, openApp } from '../../../../../test/tab.ts'
import {
  prepareReviewedRevocation,
  prepareRevocation,
  revokeAllowances,
} from '../../../../allowances/revokeAllowances.ts'
import type { Config } from '../../../../app.ts'
import { connect } from '../../../../connection/connect.ts'
import { disconnect } from '../../../../connection/disconnect.ts'
import { getPendingConnection } from '../../../../connection/getPendingConnection.ts'
import { request } from '../../../../connection/requests/request.ts'
import { openModal } from '../../../../modal/modal.ts'
import { closeModal } from '../../../../modal/navigate.ts'
import {
  changeName,
  changeReviewedName,
  registerName,
  registerReviewedName,
} from '../../../../names/registerName.ts'
import { switchNetwork } from '../../../../network/switchNetwork.ts'
import { prepareReviewedSend, prepareSend } from '../../../../send/prepareSend.ts'
import { send } from '../../../../send/send.ts'
import { signMessage } from '../../../../send/sign.ts'
import { prepareReviewedSignIn, prepareSignIn } from '../../../../siwx/signIn.ts'
import type { Siwx, SiwxSession } from '../../../../siwx/siwx.ts'
import type { AccountChoice, Connected } from '../../../../state.ts'
import type { SignatureReview } from '../../../signatureReview.ts'
import { ledger } from './ledger.ts'

let chains: Chains
let browser: ReturnType<typeof createBrowser>
beforeAll(async () => {
  chains = await startChains()
})
afterAll(() => chains?.stop())
beforeEach(() => {
  browser = createBrowser()
})

const own = addressOf(livePath(0))
const chainId = 'eip155:31337'

function open(...exchanges: readonly Exchange[]) {
  return openWith({}, ...exchanges)
}

function openWith(config: Partial<Config>, ...exchanges: readonly Exchange[]) {
  const replay = createReplay(...exchanges)
  const { openTransport } = replay
  const app = openApp(
    { ...browser.openTab(), fetch: globalThis.fetch },
    { rpcUrls: chains.urls, ...config, wallets: { connectors: [ledger({ openTransport })] } },
  )
  return { app, ...replay }
}

async function openConnected(...exchanges: readonly Exchange[]) {
  const opened = open(own, ...exchanges)
  const { app } = opened
  await connect(app, { connectorId: 'ledger' })
  /** Asks as a page does, and decides in the review. */
  const ask = (
    method: string,
    params: readonly unknown[],
    decide: (app: App) => Promise<SignatureReview | undefined> = approve,
  ) => {
    const answer = request(app, { method, params })
    answer.catch(() => {})
    return Promise.race([decide(app), answer.then(() => undefined)]).then(async (review) => ({
      review,
      answer: await answer,
    }))
  }
  return { ...opened, ask }
}

type App = ReturnType<typeof openApp>

type View = ReturnType<App['store']['getState']>['modal']['history'][number]
type Review = Extract<View, { name: 'ReviewTransaction' }>

/**
 * The review when it is shown. A review that never appears leaves no timer, which would move the
 * clock of another file's tests.
 */
const getView = (app: App) =>
  new Promise<Review>((resolve) => {
    const look = () => {
      const view = app.store.getState().modal.history.at(-1)
      if (view?.name === 'ReviewTransaction') resolve(view)
    }
    app.store.subscribe(look)
    look()
  })

const zone = 'latchkey.id'

/** Bob's allowance of the account. */
const anAllowance = (): Allowance => ({
  kind: 'erc20',
  token: {
    address: `${chainId}:${chains.addresses[chainId].usd}`,
    name: null,
    symbol: null,
    iconUrl: null,
  },
  ...{ tokenId: null, spender: bob, spenderName: null, amount: '1', isUnlimited: false },
  ...{ changedAt: '2026-01-01T00:00:00.000Z', expiresAt: null, isSpam: false },
})

async function approve(app: App) {
  const view = await getView(app)
  const review = (await view.reading) as SignatureReview
  view.approve()
  return review
}

const refuse = async (app: App) => {
  await getView(app)
  closeModal(app)
  return undefined
}

describe('connecting', () => {
  test('default: the device receives no request until the user chooses it, then its first address is read', async () => {
    const { app, left } = open(own)
    expect(app.store.getState().connectors).toMatchObject([
      { id: 'ledger', name: 'Ledger', imageId: '96096b07-a2cf-8fa4-81fd-75ccdd5eafe7' },
    ])
    expect(left()).not.toBe('')
    const { account, chainId: connected } = await connect(app, { connectorId: 'ledger' })
    expect(account).toEqual({
      ...{ namespace: 'eip155', type: 'eoa' },
      ...{ address: device.address, path: livePath(0) },
    })
    expect(connected).toBe(chainId)
    expect(left()).toBe('')
    app.destroy()
  })

  test('default: in the modal, an account is chosen by either numbering', async () => {
    const { app, left } = open(own, addressOf(bipPath(1), bob))
    openModal(app)
    const connecting = connect(app, { connectorId: 'ledger' })
    const getChoice = () => getPendingConnection(app.store.getState(), 'ledger')?.choice
    await expect.poll(getChoice).toBeDefined()
    const choice = getChoice() as AccountChoice
    expect(choice.groups).toEqual(['Ledger Live', 'BIP-44'])
    // Both begin with the same key, which is read once.
    for (const group of choice.groups)
      expect(await choice.read({ group, index: 0 })).toMatchObject({ address: device.address })
    const second = await choice.read({ group: 'BIP-44', index: 1 })
    choice.choose(second)
    expect((await connecting).account).toMatchObject({ address: bob, path: bipPath(1) })
    expect(left()).toBe('')
    app.destroy()
  })

  test('behavior: comes back with its account and network, and the device is not touched', async () => {
    const first = await openConnected()
    await switchNetwork(first.app, { chainId: 'eip155:31338' })
    first.app.destroy()
    const { app } = open()
    await expect
      .poll(() => app.store.getState().connections.eip155)
      .toMatchObject({
        ...{ status: 'connected', connectorId: 'ledger', chainId: 'eip155:31338' },
        account: { address: device.address, path: livePath(0) },
      })
    await disconnect(app)
    app.destroy()
    const last = open()
    expect(last.app.store.getState().connections.eip155.status).toBe('disconnected')
    last.app.destroy()
  })

  test.each([
    ['locked', status.locked, /locked/],
    ['in another app', status.otherApp, /Open the Ethereum app/],
    ['in no app', status.noApp, /Open the Ethereum app/],
    ['refused there', status.refused, /rejected/],
  ])('error: %s', async (_, answer, text) => {
    const { app } = open(failing(own, answer), own)
    await expect(connect(app, { connectorId: 'ledger' })).rejects.toThrow(text)
    // The next try is not hindered.
    await connect(app, { connectorId: 'ledger' })
    app.destroy()
  })

  test('error: unplugged during a request', async () => {
    const replay = createReplay(own)
    const openTransport = async () => {
      const transport = await replay.openTransport()
      transport.exchange = () => {
        queueMicrotask(() => transport.emit('disconnect', { name: 'DisconnectedDevice' }))
        return new Promise(() => {})
      }
      return transport
    }
    const app = openApp({}, { wallets: { connectors: [ledger({ openTransport })] } })
    await expect(connect(app, { connectorId: 'ledger' })).rejects.toThrow(/Plug it in/)
    app.destroy()
  })

  test('error: a browser without access to devices, which the row tells', async () => {
    const app = openApp({}, { wallets: { connectors: [ledger()] } })
    const [info] = app.store.getState().connectors
    expect(info?.traits?.lacks).toBe('webHid')
    await expect(connect(app, { connectorId: 'ledger' })).rejects.toThrow(/Chrome, Edge/)
    app.destroy()
  })
})

describe('signing', () => {
  test.each([
    ['short', 'Hello'],
    ['in several pieces', 'Hello, world. '.repeat(30)],
  ])('default: a message, %s, that the modal shows first', async (_, message) => {
    const raw = stringToHex(message)
    const { app, ask, left } = await openConnected(own, ...(await messageSigned(livePath(0), raw)))
    const { review, answer } = await ask('personal_sign', [raw, device.address])
    expect(review).toMatchObject({ kind: 'message', text: message, isText: true })
    expect(
      await verifyMessage({ address: device.address, message, signature: answer as Hex }),
    ).toBe(true)
    expect(left()).toBe('')
    expect(app.store.getState().modal.open).toBe(false)
    app.destroy()
  })

  test('behavior: a message from a hook is shown too', async () => {
    const { app } = await openConnected(own, ...(await messageSigned(livePath(0), '0x4869')))
    const [review, signature] = await Promise.all([
      approve(app),
      signMessage(app, { message: 'Hi' }),
    ])
    expect(review).toMatchObject({ text: 'Hi' })
    expect(signature).toMatch(/^0x[0-9a-f]{130}$/)
    app.destroy()
  })

  test('default: typed data field by field, and by its hashes in an older app', async () => {
    const hashes = {
      domainHash: hashDomain({ domain: mail.domain, types: mail.types }),
      messageHash: hashStruct({ data: mail.message, primaryType: 'Mail', types: mail.types }),
    }
    const { app, ask, left } = await openConnected(
      ...[own, ...(await typedDataSigned(livePath(0)))],
      ...[own, ...(await hashesSigned(livePath(0), hashes))],
    )
    for (const data of [JSON.stringify(mailJson), mailJson]) {
      const { review, answer } = await ask('eth_signTypedData_v4', [device.address, data])
      expect(review).toMatchObject({
        ...{ kind: 'typedData', primaryType: 'Mail', ...hashes },
        domain: [
          { name: 'name', value: 'Mail' },
          { name: 'chainId', value: '31337' },
        ],
        rows: [
          { name: 'to', value: mail.message.to },
          { name: 'contents', value: mail.message.contents },
          { name: 'marks[0]', value: '7' },
          { name: 'marks[1]', value: '9' },
        ],
      })
      const signature = answer as Hex
      expect(await verifyTypedData({ address: device.address, ...mail, signature })).toBe(true)
    }
    expect(left()).toBe('')
    app.destroy()
  })

  test('behavior: what a page changes after the review is not signed', async () => {
    const { app, ask, left } = await openConnected(own, ...(await typedDataSigned(livePath(0))))
    const data = { ...mailJson, message: { ...mailJson.message, contents: 'Hello\u202e!' } }
    const { answer } = await ask('eth_signTypedData_v4', [device.address, data], async () => {
      const review = (await (await getView(app)).reading) as SignatureReview
      data.message.contents = 'All that I have'
      await approve(app)
      return review
    })
    const signature = answer as Hex
    expect(await verifyTypedData({ address: device.address, ...mail, signature })).toBe(true)
    expect(left()).toBe('')
    app.destroy()
  })

  test('behavior: a number and an access list that the page chose are shown', async () => {
    const { app, ask, add } = await openConnected()
    const next = Number(
      await rpc(chains.urls[chainId], 'eth_getTransactionCount', [device.address, 'pending']),
    )
    const transaction = { from: device.address, to: bob, value: '0x1', gas: '0x9999' }
    const slot = `0x${'0'.repeat(63)}1`
    const accessList = [
      { address: bob, storageKeys: [slot] },
      { address: bob, storageKeys: [] },
    ]
    const reviewOf = async (changes: object) => {
      add(failing(own, status.refused))
      const view = getView(app).then(async (shown) => shown.reading)
      const answer = ask('eth_sendTransaction', [{ ...transaction, ...changes }])
      await expect(answer).rejects.toMatchObject({ code: 'USER_REJECTED' })
      return view
    }
    expect(await reviewOf({ nonce: `0x${(next + 7).toString(16)}`, accessList })).toMatchObject({
      nonce: { asked: next + 7, next },
      accessList: [
        { name: `[0] ${bob}`, value: slot },
        { name: `[1] ${bob}`, value: '[]' },
      ],
    })
    const plain = { nonce: undefined, accessList: [] }
    expect(await reviewOf({ nonce: `0x${next.toString(16)}` })).toMatchObject(plain)
    expect(await reviewOf({})).toMatchObject(plain)
    await expect(
      ask('eth_sendTransaction', [{ ...transaction, nonce: '0x20000000000000' }]),
    ).rejects.toMatchObject({ code: 'INVALID_PARAMS' })
    app.destroy()
  })

  test.each([
    ['written by the app is reviewed', 'Let me in', prepareReviewedSignIn, true],
    ['of CAIP-122 is not shown twice', undefined, prepareReviewedSignIn, false],
    ['that a page has prepared is reviewed', undefined, prepareSignIn, true],
  ])(
    'behavior: a sign-in %s, and it is asked for until it is done',
    async (_, text, prepare, isReviewed) => {
      const sessions: SiwxSession[] = []
      const siwx: Siwx = {
        createMessage: async (account) => ({
          ...{ domain: 'shop.example', uri: 'https://shop.example', version: '1' as const },
          ...{ nonce: 'nonce0001', issuedAt: '2026-01-01T00:00:00.000Z', ...account },
          ...(text && { toString: () => text }),
        }),
        addSession: async (session) => void sessions.push(session),
        getSessions: async () => sessions,
        setSessions: async () => {},
        revokeSession: async () => {},
      }
      const { app, add, left } = openWith({ signIn: siwx }, own)
      await connect(app, { connectorId: 'ledger' })
      const getTop = () => app.store.getState().modal.history.at(-1)?.name
      await expect.poll(getTop).toBe('SIWXSignMessage')
      const { message, sign } = await prepare(app)
      add(own, ...(await messageSigned(livePath(0), stringToHex(message))))
      const signing = sign()
      if (isReviewed) expect(await approve(app)).toMatchObject({ text: message })
      await signing
      expect(sessions).toMatchObject([{ message }])
      expect(left()).toBe('')
      await expect.poll(() => app.store.getState().modal.open).toBe(false)
      app.destroy()
    },
  )

  test('behavior: a page cannot say that what it asks was shown', async () => {
    const { app, add } = await openConnected()
    const allowances = [anAllowance()]
    const claimed = { message: 'Hi', review: Object.freeze({}) } as Parameters<
      typeof signMessage
    >[1]
    add(failing(own, status.refused))
    const asked = [
      () => signMessage(app, claimed),
      () => {
        const { connectorId, chainId, account } = app.store.getState().connections
          .eip155 as Connected
        const message = ['0x4869', account.address]
        const connector = app.connectors.get(connectorId)
        return connector?.request(chainId, 'personal_sign', message, Object.freeze({}) as never)
      },
      () => send(app, { to: bob, amount: '0.01', token: { symbol: 'ETH', decimals: 18 } }),
      async () => {
        const token = { symbol: 'ETH', decimals: 18 }
        return send(app, { plan: await prepareSend(app, { to: bob, amount: '0.01', token }) })
      },
      async () => revokeAllowances(app, { plan: await prepareRevocation(app, { allowances }) }),
      () => registerName(app, { label: 'alder', zone }),
      () => changeName(app, { name: `alder.${zone}`, to: bob }),
    ]
    for (const ask of asked) {
      const answer = expect(ask()).rejects.toMatchObject({ code: 'USER_REJECTED' })
      await refuse(app)
      await answer
    }
    app.destroy()
  })

  test.each<[string, (price: bigint) => object, object]>([
    [
      'of type 2',
      () => ({ type: 'eip1559', maxFeePerGas: 3_000_000_000n, maxPriorityFeePerGas: 1n }),
      { maxFeePerGas: '0xb2d05e00', maxPriorityFeePerGas: '0x1', type: 2 },
    ],
    [
      'of type 1, with an empty list',
      () => ({ type: 'eip2930', gasPrice: 3_000_000_000n, accessList: [] }),
      { gasPrice: '0xb2d05e00', type: '0x1' },
    ],
    [
      'of type 0, by its number',
      () => ({ type: 'legacy', gasPrice: 3_000_000_000n }),
      { gasPrice: '0xb2d05e00', type: 0 },
    ],
    [
      'of the legacy form',
      () => ({ type: 'legacy', gasPrice: 3_000_000_000n }),
      { gasPrice: '0xb2d05e00' },
    ],
    [
      'of type 0 at the price of the network',
      (gasPrice) => ({ type: 'legacy', gasPrice }),
      { type: '0x0' },
    ],
    [
      'of type 1 at the price of the network',
      (gasPrice) => ({ type: 'eip2930', gasPrice, accessList: [] }),
      { type: 1, accessList: [] },
    ],
  ])('default: a transaction %s, sent by our node', async (_, build, fee) => {
    const url = chains.urls[chainId]
    // After it the base fee is fixed, because the last transaction's block is the latest on every
    // node.
    await rpc(url, 'anvil_mine', [])
    const { maxWei } = await readFeeRates((method, params) => rpc(url, method, params), 31337)
    const nonce = Number(await rpc(url, 'eth_getTransactionCount', [device.address, 'latest']))
    const common = { chainId: 31337, gas: 21_000n, to: bob as Hex, value: 10n, data: '0x' } as const
    const transaction = { ...build(maxWei), nonce, ...common } as TransactionSerializable
    const signed = parseTransaction(await device.signTransaction(transaction))
    const { r = '0x', s = '0x', yParity = 0, v = 0n } = signed
    const asked = { from: device.address, to: bob, value: '0xa', gas: '0x5208', ...fee }
    const { app, ask, left } = await openConnected(
      own,
      ...(await transactionSigned(livePath(0), serializeTransaction(transaction), {
        ...{ r: r as Hex, s: s as Hex },
        v: transaction.type === 'legacy' ? Number(v) : yParity,
      })),
    )
    const { review, answer } = await ask('eth_sendTransaction', [asked])
    expect(review).toMatchObject({
      ...{ kind: 'transaction', to: bob, valueWei: 10n, data: undefined, call: undefined },
      maxFeeWei: 21_000n * (transaction.gasPrice ?? transaction.maxFeePerGas ?? 0n),
    })
    await expect
      .poll(() => rpc(url, 'eth_getTransactionReceipt', [answer]))
      .toMatchObject({ status: '0x1' })
    expect(left()).toBe('')
    app.destroy()
  })

  test('behavior: what our own view has shown is not shown again, and a call is read for the person', async () => {
    const { app, add, ask } = await openConnected()
    const plan = await prepareReviewedSend(app, {
      ...{ to: bob, amount: '0.01' },
      token: { symbol: 'ETH', decimals: 18 },
    })
    const revocation = await prepareReviewedRevocation(app, { allowances: [anAllowance()] })
    for (const act of [
      () => send(app, { plan }),
      () => revokeAllowances(app, { plan: revocation }),
      () => registerReviewedName(app, { label: 'alder', zone }),
      () => changeReviewedName(app, { name: `alder.${zone}`, to: bob }),
    ]) {
      add(failing(own, status.locked))
      await expect(act()).rejects.toThrow(/locked.*Enter its PIN/)
      expect(app.store.getState().modal.open).toBe(false)
    }
    const usd = chains.addresses[chainId].usd
    const data = `0x095ea7b3${bob.slice(2).toLowerCase().padStart(64, '0')}${'f'.repeat(64)}`
    add(failing(own, status.refused))
    const view = getView(app).then(async (shown) => shown.reading)
    await expect(
      ask('eth_sendTransaction', [{ from: device.address, to: usd, data }]),
    ).rejects.toMatchObject({ code: 'USER_REJECTED' })
    expect(await view).toMatchObject({
      call: { name: 'approve', isUnlimited: true, rows: [{ name: 'spender', value: bob }, {}] },
    })
    app.destroy()
  })

  test('error: refused in the review, refused on the device, blind signing off', async () => {
    const raw = stringToHex('Hello')
    const params = [raw, device.address]
    const { app, ask, add, left } = await openConnected()
    await expect(ask('personal_sign', params, refuse)).rejects.toMatchObject({
      code: 'USER_REJECTED',
    })
    const [sign] = await messageSigned(livePath(0), raw)
    if (!sign) throw new Error('No exchange')
    add(own, failing(sign, status.refused))
    await expect(ask('personal_sign', params)).rejects.toMatchObject({ code: 'USER_REJECTED' })
    add(own, failing(sign, status.blindSigningOff))
    await expect(ask('personal_sign', params)).rejects.toThrow(/blind signing/)
    expect(left()).toBe('')
    app.destroy()
  })

  test('error: another device, a signature of something else, and another account or network', async () => {
    const params = [stringToHex('Hello'), device.address]
    const { app, ask, add } = await openConnected(addressOf(livePath(0), bob))
    await expect(ask('personal_sign', params)).rejects.toThrow(/does not hold/)
    const [[hello] = []] = await messageSigned(livePath(0), stringToHex('Hello'))
    const [[, other] = []] = await messageSigned(livePath(0), stringToHex('Other'))
    add(own, [hello as Hex, other as Hex])
    await expect(ask('personal_sign', params)).rejects.toMatchObject({
      code: 'WALLET_SIGNED_OTHER',
    })
    const codes = async (method: string, asked: readonly unknown[]) =>
      request(app, { method, params: asked }).catch(({ code }) => code)
    expect(await codes('personal_sign', [params[0], bob])).toBe('UNAUTHORIZED')
    const elsewhere = { ...mailJson, domain: { ...mail.domain, chainId: 1 } }
    expect(await codes('eth_signTypedData_v4', [device.address, elsewhere])).toBe('INVALID_PARAMS')
    const transaction = { from: device.address, to: bob }
    for (const field of [
      { chainId: '0x1' },
      { gasPrice: '0x1', maxFeePerGas: '0x1' },
      { maxFeePerGas: '0x1', maxPriorityFeePerGas: '0x2' },
      { data: '0x00', input: '0x01' },
      { type: '0x3' },
      { blobVersionedHashes: [`0x01${'00'.repeat(31)}`] },
      { maxFeePerBlobGas: '0x1' },
      { type: '0x4' },
      { type: '0x2', gasPrice: '0x1' },
      { type: '0x0', maxFeePerGas: '0x2', maxPriorityFeePerGas: '0x1' },
      { type: '0x0', gasPrice: '0x1', accessList: [] },
      { type: 3 },
      { type: -1 },
      { type: 1.5 },
      { authorizationList: [{}] },
    ])
      expect(await codes('eth_sendTransaction', [{ ...transaction, ...field }])).toBe(
        'INVALID_PARAMS',
      )
    const withBlobs = { ...transaction, blobs: ['0x00'] }
    await expect(ask('eth_sendTransaction', [withBlobs])).rejects.toThrow(/no blob transactions/)
    expect(await codes('eth_sign', [device.address, '0x'])).toBe('UNSUPPORTED_METHOD')
    expect(await codes('eth_blockNumber', [])).toMatch(/^0x/)
    app.destroy()
  })
})

test('behavior: only our node receives requests, though the packages would send some to their vendor', async () => {
  const hosts: string[] = []
  const connectNow = Socket.prototype.connect
  const spy = vi.spyOn(Socket.prototype, 'connect').mockImplementation(function (
    this: Socket,
    ...args: unknown[]
  ) {
    const [options] = [args[0]].flat(2) as { host?: string; path?: string }[]
    const host = options?.path ? 'local' : String(options?.host)
    hosts.push(host)
    // Nothing leaves this machine, and no process listens at port 1.
    if (!['local', 'localhost', '127.0.0.1'].includes(host))
      return Reflect.apply(connectNow, this, [{ host: '127.0.0.1', port: 1 }])
    return Reflect.apply(connectNow, this, args)
  })
  try {
    const { app, ask } = await openConnected(own, ...(await typedDataSigned(livePath(0))))
    await ask('eth_signTypedData_v4', [device.address, mailJson])
    const call = {
      from: device.address,
      to: chains.addresses[chainId].usd,
      data: `0x095ea7b3${'0'.repeat(128)}`,
    }
    await expect(ask('eth_sendTransaction', [{ ...call, gas: '0x9999' }])).rejects.toThrow()
    expect(hosts.filter((host) => host !== '127.0.0.1')).toEqual([])
    app.destroy()
    const { openTransport } = createReplay(...(await typedDataSigned(livePath(0))))
    await new Eth(await openTransport()).signEIP712Message(livePath(0), mailJson as never)
    expect(hosts).toContain('crypto-assets-service.api.ledger.com')
  } finally {
    spy.mockRestore()
  }
})
