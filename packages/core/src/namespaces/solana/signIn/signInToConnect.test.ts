import { LatchkeyError } from '@latchkey/wire'
import { verifySiwx } from '@latchkey/wire/siwx'
import { expect, test, vi } from 'vitest'
import { createPage, createWindow } from '../../../../test/page.ts'
import { createKey, createStandardWallet, signBytes } from '../../../../test/standardWallet.ts'
import { createBrowser, openApp, settle } from '../../../../test/tab.ts'
import { connect } from '../../../connection/connect.ts'
import { solanaDevnet } from '../../../networks.ts'
import { getSession } from '../../../siwx/session.ts'
import { formatSignIn } from './formatSignIn.ts'

const own = createKey(1)
const other = createKey(2)
const connectorId = 'solana:Sun Wallet'
const utf8 = (words: string) => new TextEncoder().encode(words)

/** The server's sign-ins, with its verification. */
function createServer() {
  const asked: string[] = []
  const server = {
    asked,
    isAway: false,
    fetch: (async (url, init) => {
      const path = new URL(String(url)).pathname.replace('/v1/siwx/', '')
      asked.push(path)
      if (server.isAway) throw new TypeError('offline')
      const at = new Date().toISOString()
      if (path === 'nonce')
        return Response.json({ nonce: 'nonce000001', issuedAt: at, expiresAt: at })
      const kept = { id: 'one', origin: 'https://shop.example', createdAt: at, expiresAt: at }
      const session = { ...kept, chainId: solanaDevnet.caipNetworkId, accountAddress: own.address }
      if (path === 'session') return Response.json({ session })
      const expected = { domain: 'shop.example', nonce: 'nonce000001' }
      const verdict = await verifySiwx(JSON.parse(String(init?.body)), expected)
      if (verdict.ok) return Response.json({ session, token: 'token' })
      const reasons = [{ field: verdict.field, description: verdict.field }]
      return Response.json({ reasons }, { status: verdict.field === 'signature' ? 401 : 400 })
    }) as typeof fetch,
  }
  return server
}

type Output = { account: unknown; signedMessage: Uint8Array; signature: Uint8Array }

async function open(change: (output: Output) => Output | Promise<Output> = (output) => output) {
  const page = createWindow()
  vi.stubGlobal('window', page)
  const standard = createStandardWallet({ keys: [own] })
  const inputs: object[] = []
  standard.wallet.features['solana:signIn'] = {
    signIn: async (input: object) => {
      inputs.push(input)
      const signedMessage = utf8(formatSignIn(input, own.address))
      const signature = signBytes(own, signedMessage)
      const output = await change({ account: standard.toAccount(own), signedMessage, signature })
      standard.wallet.accounts = [standard.toAccount(own)]
      return [output]
    },
  }
  const server = createServer()
  const place = { location: { href: 'https://shop.example/cart', assign: () => {} } }
  const app = openApp(
    { ...createBrowser().openTab(), fetch: server.fetch, page: Object.assign(createPage(), place) },
    { networks: [solanaDevnet], signIn: {} },
  )
  await settle()
  standard.register(page)
  const methods = () => standard.calls.map(({ method }) => method)
  const state = () => app.store.getState()
  return { app, server, inputs, methods, state, connect: () => connect(app, { connectorId }) }
}

test('default: one approval connects and signs in', async () => {
  const { app, server, inputs, methods, state, connect } = await open()
  await connect()
  expect(inputs).toEqual([
    {
      domain: 'shop.example',
      uri: 'https://shop.example',
      version: '1',
      chainId: 'devnet',
      nonce: 'nonce000001',
      issuedAt: expect.any(String),
    },
  ])
  expect(methods()).toEqual([])
  expect(state().connections.solana).toMatchObject({
    status: 'connected',
    account: { address: own.address },
    chainId: solanaDevnet.caipNetworkId,
  })
  await settle()
  expect(getSession(app, state())).toMatchObject({ token: 'token' })
  expect(server.asked).toEqual(['nonce', 'verify', 'session'])
  expect(state().modal.open).toBe(false)
})

test('behavior: without a nonce, and if the wallet cannot sign in after all, it receives a connect request', async () => {
  const away = await open()
  away.server.isAway = true
  await away.connect()
  expect([away.methods(), away.inputs]).toEqual([['connect'], []])
  const broken = await open(() => {
    throw new Error('chainId is not supported')
  })
  await broken.connect()
  expect([broken.methods(), broken.inputs.length]).toEqual([['connect'], 1])
  expect(broken.state().connections.solana.status).toBe('connected')
})

test.each([
  [
    'USER_REJECTED',
    () => {
      throw Object.assign(new Error('User rejected the request.'), { code: 4001 })
    },
  ],
  ['WALLET_SIGNED_OTHER', (one: Output) => ({ ...one, signedMessage: utf8('Give all') })],
  ['WALLET_SIGNED_OTHER', (one: Output) => ({ ...one, account: { address: other.address } })],
  [
    'WALLET_SIGNED_OTHER',
    (one: Output) => ({ ...one, signature: signBytes(other, one.signedMessage) }),
  ],
  ['WALLET_ANSWER_INVALID', (one: Output) => ({ ...one, account: undefined })],
] as const)('error: %s', async (code, change) => {
  const { server, methods, state, connect } = await open(change)
  const error = await connect().catch((error: unknown) => error)
  expect(error).toBeInstanceOf(LatchkeyError)
  expect(error).toMatchObject({ code })
  expect(state().connections.solana.status).toBe('disconnected')
  expect([methods(), server.asked]).toEqual([[], ['nonce']])
})
