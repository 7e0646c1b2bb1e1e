import type { AuthRequest, Cacao } from '@latchkey/walletconnect'
import { parseSiwxMessage, verifySiwx } from '@latchkey/wire/siwx'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { createPage } from '../../test/page.ts'
import {
  connectorId,
  evm,
  hasUri,
  join,
  openPage,
  phoneOf,
  uriOf,
  useRelay,
} from '../../test/pairing.ts'
import { type Phone, until } from '../../test/phone.ts'
import { createBrowser, settle } from '../../test/tab.ts'
import type { Config } from '../app.ts'
import { connect } from '../connection/connect.ts'
import { disconnect } from '../connection/disconnect.ts'
import { latchkeyOne, latchkeyTwo, solanaDevnet } from '../networks.ts'
import { getSession } from './session.ts'
import type { SiwxConfig } from './siwx.ts'

useRelay()
const account = privateKeyToAccount(generatePrivateKey())
const other = privateKeyToAccount(generatePrivateKey())
const methods = ['personal_sign', 'eth_sendTransaction']

/**
 * The server's sign-ins, with its verification: the requests it received, and a response to use
 * instead of the real one.
 */
function createServer() {
  const server = {
    asked: [] as string[],
    nonces: new Set<string>(),
    session: undefined as object | undefined,
    nonce: undefined as (() => Promise<Response>) | undefined,
    verify: undefined as (() => Promise<Response>) | undefined,
    fetch: (async (input, init) => {
      const path = new URL(String(input)).pathname.replace('/v1/siwx/', '')
      server.asked.push(path)
      if (path === 'nonce' && server.nonce) return server.nonce()
      if (path === 'nonce') {
        const nonce = `nonce${server.asked.length}abcdef`
        server.nonces.add(nonce)
        const issuedAt = new Date().toISOString()
        return Response.json({ nonce, issuedAt, expiresAt: issuedAt })
      }
      if (path === 'verify' && server.verify) return server.verify()
      if (path === 'verify') {
        const { message, signature } = JSON.parse(String(init?.body))
        const parsed = parseSiwxMessage(message)
        const nonce = 'message' in parsed ? parsed.message.nonce : ''
        if (!server.nonces.delete(nonce)) return refuse(400, 'nonce')
        const verdict = await verifySiwx({ message, signature }, { domain: 'shop.example', nonce })
        if (!verdict.ok) return refuse(verdict.field === 'signature' ? 401 : 400, verdict.field)
        const { chainId, accountAddress } = verdict.message
        const at = new Date().toISOString()
        const ends = { createdAt: at, expiresAt: at, origin: 'https://shop.example' }
        server.session = { id: 'one', chainId, accountAddress, ...ends }
        return Response.json({ session: server.session, token: 'token' })
      }
      if (path === 'session' && server.session) return Response.json({ session: server.session })
      return Response.json({ status: 'SUCCESS' })
    }) as typeof fetch,
  }
  return server
}

const refuse = (status: number, field: string) =>
  Response.json({ status: 'FAILED', reasons: [{ field, description: field }] }, { status })

function open({
  browser = createBrowser(),
  server = createServer(),
  siwx = {},
  networks,
}: {
  browser?: ReturnType<typeof createBrowser>
  server?: ReturnType<typeof createServer>
  siwx?: SiwxConfig
  networks?: Config['networks']
} = {}) {
  const page = Object.assign(createPage(), {
    location: { href: 'https://shop.example/cart', assign: () => {} },
  })
  const opened = openPage(
    browser,
    { fetch: server.fetch, page },
    { ...(siwx && { signIn: siwx }), ...(networks && { networks }) },
  )
  const top = () => opened.app.store.getState().modal.history.at(-1)?.name
  return {
    ...opened,
    server,
    top,
    session: () => getSession(opened.app, opened.app.store.getState()),
  }
}

/** A phone that signs in; `decide` answers instead. */
async function signingPhone(
  decide: (phone: Phone, request: AuthRequest) => Promise<unknown> = approve,
) {
  const phone = await phoneOf()
  const requests: AuthRequest[] = []
  phone.wallet.on('session_authenticate', ({ request }) => {
    requests.push(request)
    decide(phone, request).catch(() => {})
  })
  return { phone, requests }
}

async function approve({ wallet }: Phone, { id }: AuthRequest, signer = account) {
  const chains = ['eip155:31337', 'eip155:31338']
  const named = `eip155:31337:${account.address}`
  const { message, payload } = wallet.formatAuthMessage(id, { account: named, chains, methods })
  const s = { t: 'eip191', s: await signer.signMessage({ message }) }
  const cacao: Cacao = { h: { t: 'caip122' }, p: payload, s }
  await wallet.approveAuthenticate(id, [cacao])
}

test('default: one approval connects and signs in', async () => {
  const { app, server, top, session } = open({ siwx: { statement: 'Welcome' } })
  const { phone, requests } = await signingPhone()
  await join(app, phone)
  expect(requests).toMatchObject([
    {
      authPayload: {
        domain: 'shop.example',
        aud: 'https://shop.example',
        statement: 'Welcome',
        chains: ['eip155:31337', 'eip155:31338'],
      },
    },
  ])
  expect(evm(app)).toMatchObject({
    status: 'connected',
    chainId: 'eip155:31337',
    account: { address: account.address },
  })
  await until(() => session() !== undefined)
  expect(session()).toMatchObject({ token: 'token', data: { accountAddress: account.address } })
  expect(session()?.message).toContain('Welcome I further authorize the stated URI')
  expect(server.asked).toEqual(['nonce', 'verify', 'session'])
  expect([phone.proposals, phone.requests]).toEqual([[], []])
  await settle()
  expect(top()).not.toBe('SIWXSignMessage')
  await disconnect(app)
  await until(() => server.asked.at(-1) === 'sign-out')
})

test('behavior: a wallet without support gets a session request, and then a signature request', async () => {
  const { app, top, session } = open()
  const phone = await phoneOf()
  await join(app, phone)
  expect(phone.proposals).toHaveLength(1)
  await until(() => top() === 'SIWXSignMessage')
  expect(session()).toBeNull()
})

test('param: networks: with another namespace, the wallet gets a session request, then a signature request', async () => {
  const { app, top } = open({ networks: [latchkeyOne, latchkeyTwo, solanaDevnet] })
  const { phone, requests } = await signingPhone()
  await join(app, phone)
  expect(phone.proposals).toHaveLength(1)
  await until(() => top() === 'SIWXSignMessage')
  expect(requests).toHaveLength(0)
})

test('behavior: a page that is loaded again continues it', async () => {
  const browser = createBrowser()
  const server = createServer()
  const first = open({ browser, server })
  const answers: (() => Promise<unknown>)[] = []
  const { phone } = await signingPhone(async (...parts) => answers.push(() => approve(...parts)))
  connect(first.app, { connectorId }).catch(() => {})
  await hasUri(first.app)
  await phone.scan(uriOf(first.app))
  await until(() => answers.length > 0)
  first.app.destroy()
  await answers[0]?.()
  const second = open({ browser, server })
  await until(() => evm(second.app).status === 'connected')
  await until(() => second.session() !== undefined)
  expect(second.session()).toMatchObject({ token: 'token' })
  expect(server.asked).toEqual(['nonce', 'verify', 'session'])
  expect(second.top()).toBeUndefined()
})

test('error: a wallet that refuses, and a wallet whose signature is not valid', async () => {
  const refusing = await signingPhone(({ wallet }, { id }) => wallet.rejectAuthenticate(id))
  const refused = open()
  const rejected = expect(join(refused.app, refusing.phone)).rejects.toMatchObject({
    code: 'USER_REJECTED',
  })
  await rejected
  const forging = await signingPhone((phone, request) => approve(phone, request, other))
  const forged = open()
  await expect(join(forged.app, forging.phone)).rejects.toMatchObject({
    code: 'RPC_FAILED',
    message: 'Signature verification failed.',
  })
  for (const { app } of [refused, forged]) {
    expect(evm(app).status).toBe('disconnected')
    expect(app.storage.get('siwxSessions')).toBeUndefined()
  }
  expect(forged.server.asked).toEqual(['nonce', 'verify'])
})

test('behavior: an expired nonce leaves the session, and the account is prompted again', async () => {
  const { app, server, top } = open()
  const { phone } = await signingPhone(async (...parts) => {
    server.nonces.clear()
    await approve(...parts)
  })
  await join(app, phone)
  await until(() => top() === 'SIWXSignMessage')
  expect(evm(app)).toMatchObject({ status: 'connected' })
  expect(server.asked).toEqual(['nonce', 'verify'])
})

const someone = {
  id: 'one',
  chainId: 'eip155:31337',
  accountAddress: other.address,
  createdAt: '2026-01-01T00:00:00Z',
  expiresAt: '2030-01-01T00:00:00Z',
  origin: 'https://shop.example',
}

test.each<[string, () => Promise<Response>]>([
  ['fails', async () => refuse(500, 'internal')],
  ['is busy', async () => new Response('later', { status: 503 })],
  ['refuses the project', async () => refuse(403, 'origin')],
  ['refuses so many', async () => refuse(429, 'rate_limited')],
  ['answers with a page', async () => new Response('<html>')],
  ['answers with nothing', async () => Response.json({})],
  ['answers without a token', async () => Response.json({ session: someone })],
  ['cannot be reached', () => Promise.reject(new TypeError('offline'))],
])('error: a server that %s signs nobody in', async (_, verify) => {
  const { app, server, top, session } = open()
  server.verify = verify
  const { phone } = await signingPhone()
  await join(app, phone)
  expect(evm(app)).toMatchObject({ status: 'connected' })
  await until(() => top() === 'SIWXSignMessage')
  expect(session()).toBeNull()
  expect(app.storage.get('siwxSessions')).toBeUndefined()
})

test('error: a token of another account’s session signs no one in', async () => {
  const { app, server, top, session } = open()
  server.session = someone
  server.verify = async () => Response.json({ session: someone, token: 'token' })
  const { phone } = await signingPhone()
  await join(app, phone)
  await until(() => top() === 'SIWXSignMessage')
  expect(session()).toBeNull()
})

test.each([
  ['without a nonce', undefined, () => Promise.reject(new Error('offline'))],
  ['where it is turned off', { oneClick: false }, undefined],
  ['with functions of the app’s own', ownSiwx(), undefined],
] as const)('param: %s, wallets are asked for a session only', async (_, siwx, nonce) => {
  const { app, server } = open({ ...(siwx && { siwx }) })
  server.nonce = nonce
  const { phone, requests } = await signingPhone()
  await join(app, phone)
  expect([phone.proposals.length, requests.length]).toEqual([1, 0])
})

test('param: oneClick: calls the app’s own functions before the account is known', async () => {
  const siwx = { ...ownSiwx(), oneClick: true }
  const { app, session } = open({ siwx })
  const { phone } = await signingPhone()
  await join(app, phone)
  await until(() => session() !== undefined)
  expect(siwx.addresses).toEqual([''])
  expect(session()).toMatchObject({ data: { nonce: 'ownNonce1' } })
})

function ownSiwx() {
  const addresses: string[] = []
  const kept: object[] = []
  return {
    addresses,
    async createMessage({ accountAddress, chainId }: { accountAddress: string; chainId: string }) {
      addresses.push(accountAddress)
      const page = { domain: 'shop.example', uri: 'https://shop.example' }
      const issuedAt = new Date().toISOString()
      return { ...page, accountAddress, chainId, nonce: 'ownNonce1', version: '1', issuedAt }
    },
    addSession: async (session: object) => void kept.push(session),
    getSessions: async () => kept,
    setSessions: async () => {},
    revokeSession: async () => {},
  } as unknown as SiwxConfig & { addresses: string[] }
}
