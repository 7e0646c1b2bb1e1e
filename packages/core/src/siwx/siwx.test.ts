import { parseSiwxMessage } from '@latchkey/wire/siwx'
import { expect, test, vi } from 'vitest'
import {
  alice,
  bob,
  createFakeWallet,
  deferred,
  fakeConnector,
  rpcError,
} from '../../test/fakeWallet.ts'
import { createPage } from '../../test/page.ts'
import { createBrowser, openApp, settle } from '../../test/tab.ts'
import type { Config } from '../app.ts'
import { connect } from '../connection/connect.ts'
import { disconnect } from '../connection/disconnect.ts'
import { switchConnection } from '../connection/further/switchConnection.ts'
import { forceCloseModal } from '../modal/modal.ts'
import { closeModal } from '../modal/navigate.ts'
import { switchNetwork } from '../network/switchNetwork.ts'
import { getSession, isSignInRequired } from './session.ts'
import { prepareSignIn } from './signIn.ts'
import { cancelSignIn, signOutSession } from './signOut.ts'
import type { SiweConfig } from './siweConfig.ts'
import type { SiwxConfig, SiwxSession } from './siwx.ts'

const now = Date.UTC(2026, 0, 1)

/** The responses of our server to sign-ins, and the requests it received. */
function createServer() {
  const server = {
    asked: [] as { path: string; body: unknown; authorization: string | null }[],
    status: 200,
    nonces: 0,
    /** Changes of the answers. */
    account: alice as string,
    hasToken: true,
    /** The networks of the tokens. */
    chains: {} as Record<string, string>,
    /** Promises that delay the responses, by path. */
    holds: {} as Record<string, Promise<unknown>>,
    /** When sessions end. */
    expiresAtMs: now + 7 * 24 * 3_600_000,
    fetch: (async (input, init) => {
      const path = new URL(String(input)).pathname.replace('/v1/siwx/', '')
      const authorization = new Headers(init?.headers).get('authorization')
      server.asked.push({ path, body: JSON.parse(String(init?.body ?? 'null')), authorization })
      if (server.status !== 200) {
        const reasons = [{ field: 'session', description: 'Sign in' }]
        return Response.json({ reasons }, { status: server.status })
      }
      const issuedAt = new Date(now).toISOString()
      const session = {
        id: 'one',
        chainId: server.chains[authorization ?? ''] ?? 'eip155:31337',
        accountAddress: server.account,
        origin: 'https://shop.example',
        createdAt: issuedAt,
        expiresAt: new Date(server.expiresAtMs).toISOString(),
      }
      await server.holds[path]
      if (path === 'nonce') {
        server.nonces += 1
        return Response.json({ nonce: `nonce000${server.nonces}`, issuedAt, expiresAt: issuedAt })
      }
      if (path === 'verify') {
        const [, chain] = /^Chain ID: (.*)$/m.exec(JSON.parse(String(init?.body)).message) ?? []
        const token = `token${server.nonces}`
        server.chains[`Bearer ${token}`] = `eip155:${chain}`
        const opened = { ...session, chainId: `eip155:${chain}` }
        return Response.json({ session: opened, ...(server.hasToken && { token }) })
      }
      return Response.json(path === 'session' ? { session } : { status: 'SUCCESS' })
    }) as typeof fetch,
  }
  return server
}

type Options = {
  browser?: ReturnType<typeof createBrowser>
  server?: ReturnType<typeof createServer>
  clock?: ReturnType<typeof createClock>
}

/** A stopped clock, and sleeps that end when the test moves it. */
function createClock() {
  let nowMs = now
  const sleepers = new Set<{ atMs: number; wake: () => void }>()
  return {
    now: () => nowMs,
    sleep: (ms: number, signal?: AbortSignal) =>
      new Promise<void>((wake) => {
        sleepers.add({ atMs: nowMs + ms, wake })
        signal?.addEventListener('abort', () => wake())
      }),
    move(ms: number) {
      nowMs += ms
      for (const { atMs, wake } of sleepers) if (atMs <= nowMs) wake()
    },
  }
}

function open(config: Partial<Config> = { signIn: {} }, options: Options = {}) {
  const { browser = createBrowser(), server = createServer(), clock = createClock() } = options
  const wallet = createFakeWallet()
  const page = Object.assign(createPage(), {
    location: { href: 'https://shop.example/cart#top', assign: () => {} },
  })
  const app = openApp(
    {
      ...browser.openTab(),
      connectors: [fakeConnector({ id: 'a.one', wallet })],
      fetch: server.fetch,
      now: clock.now,
      sleep: clock.sleep,
      page,
    },
    config,
  )
  const top = () => app.store.getState().modal.history.at(-1)
  const session = () => getSession(app, app.store.getState())
  return { app, wallet, server, browser, page, clock, top, session }
}

async function openAsked(config?: Partial<Config>, options?: Options) {
  const opened = open(config, options)
  await connect(opened.app, { connectorId: 'a.one' })
  await settle()
  return opened
}

async function signIn({ app }: Awaited<ReturnType<typeof openAsked>>) {
  const prepared = await prepareSignIn(app)
  await prepared.sign()
  await settle()
  return prepared
}

test('default: prompts after connecting; a signature makes a session and closes the modal', async () => {
  const opened = await openAsked({ signIn: { statement: 'Welcome' } })
  const { app, server, top, session } = opened
  expect(top()).toEqual({ name: 'SIWXSignMessage', isRequired: true })
  expect(session()).toBeNull()
  const { message } = await signIn(opened)
  expect(parseSiwxMessage(message)).toEqual({
    message: {
      domain: 'shop.example',
      accountAddress: alice,
      chainId: 'eip155:31337',
      statement: 'Welcome',
      uri: 'https://shop.example',
      version: '1',
      nonce: 'nonce0001',
      issuedAt: new Date(now).toISOString(),
    },
  })
  expect(session()).toMatchObject({ message, token: 'token1' })
  expect(app.store.getState().modal.open).toBe(false)
  const verify = server.asked.find(({ path }) => path === 'verify')
  expect(verify?.body).toEqual({ message, signature: `0x${'ab'.repeat(65)}` })
})

test('behavior: the modal does not close while a sign-in is required, and is there again if it was closed', async () => {
  const { app, top } = await openAsked()
  closeModal(app)
  expect(app.store.getState().modal).toMatchObject({ open: true, shakes: 1 })
  forceCloseModal(app)
  expect(top()).toMatchObject({ name: 'SIWXSignMessage' })
  await cancelSignIn(app)
  await settle()
  expect(app.store.getState().connections.eip155.status).toBe('disconnected')
  expect(app.store.getState().modal.open).toBe(false)
})

test('behavior: if a sign-in is optional, leaving the prompt keeps the wallet, and does not prompt again', async () => {
  const { app, session } = await openAsked({ signIn: { required: false } })
  closeModal(app)
  await switchNetwork(app, { chainId: 'eip155:31338' })
  await settle()
  expect(app.store.getState().modal.open).toBe(false)
  expect(app.store.getState().connections.eip155.status).toBe('connected')
  expect(session()).toBeNull()
})

test('behavior: one session for all networks: a switch neither asks nor loses it', async () => {
  const opened = await openAsked()
  await signIn(opened)
  const { app, server, session } = opened
  const asked = server.asked.length
  for (const chainId of ['eip155:31338', 'eip155:31337'] as const) {
    await switchNetwork(app, { chainId })
    await settle()
    expect(session()).toMatchObject({ token: 'token1' })
  }
  expect(app.store.getState().modal.open).toBe(false)
  expect(server.asked.length).toBe(asked)
})

test('behavior: one session per network: prompts once on each; canceling returns to the signed network', async () => {
  const opened = await openAsked({ signIn: { per: 'network' } })
  await signIn(opened)
  const { app, top, session } = opened
  await switchNetwork(app, { chainId: 'eip155:31338' })
  await settle()
  expect(top()).toMatchObject({ name: 'SIWXSignMessage' })
  await cancelSignIn(app)
  await settle()
  expect(app.store.getState().activeChainId).toBe('eip155:31337')
  expect(session()).toMatchObject({ token: 'token1' })
  await switchNetwork(app, { chainId: 'eip155:31338' })
  await settle()
  await signIn(opened)
  expect(session()).toMatchObject({ token: 'token2' })
  await switchNetwork(app, { chainId: 'eip155:31337' })
  await settle()
  expect(app.store.getState().modal.open).toBe(false)
  expect(session()).toMatchObject({ token: 'token1' })
})

test('behavior: another account is prompted for its own sign-in', async () => {
  const opened = await openAsked()
  await signIn(opened)
  opened.wallet.accounts = [bob]
  opened.wallet.emit('accountsChanged', [bob])
  await settle()
  expect(opened.session()).toBeNull()
  expect(opened.top()).toMatchObject({ name: 'SIWXSignMessage' })
})

test('behavior: a reload keeps the session, unless the server has ended it', async () => {
  const first = await openAsked()
  await signIn(first)
  first.app.destroy()
  const second = open({ signIn: {} }, first)
  await settle()
  expect(second.session()).toMatchObject({ token: 'token1' })
  expect(second.app.store.getState().modal.open).toBe(false)
  expect(first.server.asked.at(-1)).toMatchObject({
    path: 'session',
    authorization: 'Bearer token1',
  })
  second.app.destroy()
  first.server.status = 503
  const third = open({ signIn: {} }, first)
  await settle()
  expect(third.session()).toMatchObject({ token: 'token1' })
  third.app.destroy()
  first.server.status = 401
  const fourth = open({ signIn: {} }, first)
  await settle()
  expect(fourth.session()).toBeNull()
  expect(fourth.top()).toMatchObject({ name: 'SIWXSignMessage' })
  expect(fourth.app.store.getState().alert).toBeUndefined()
})

test('behavior: an expired sign-in ends on the open page, and after a reload without the server', async () => {
  const opened = await openAsked()
  const { app, server, clock, session, top } = opened
  server.expiresAtMs = now + 90_000
  await signIn(opened)
  expect(session()).toMatchObject({ expiresAt: new Date(server.expiresAtMs).toISOString() })
  // The server's clock is behind: the next request is a minute later.
  clock.move(90_000)
  await settle()
  expect(session()).toMatchObject({ token: 'token1' })
  expect(server.asked.at(-1)).toMatchObject({ path: 'session' })
  server.status = 401
  clock.move(60_000)
  await settle()
  expect(session()).toBeNull()
  expect(top()).toMatchObject({ name: 'SIWXSignMessage' })
  app.destroy()

  const second = await openAsked()
  second.server.expiresAtMs = now + 30_000
  await signIn(second)
  second.app.destroy()
  second.server.status = 503
  second.clock.move(30_000)
  const third = open({ signIn: {} }, second)
  await settle()
  expect(third.session()).toBeNull()
})

test('behavior: returning to the page after a minute detects a sign-in that was ended elsewhere', async () => {
  const opened = await openAsked({ signIn: { required: false } })
  const { server, clock, page, session } = opened
  await signIn(opened)
  const comeBack = async () => {
    clock.move(60_000)
    page.leave()
    page.comeBack()
    await settle()
  }
  server.status = 503
  await comeBack()
  expect(session()).toMatchObject({ token: 'token1' })
  const asked = server.asked.length
  page.comeBack()
  await settle()
  expect(server.asked.length).toBe(asked)
  server.status = 401
  await comeBack()
  expect(session()).toBeNull()
  expect(opened.app.storage.get('siwxSessions')).toEqual([])
})

test('behavior: a returning user is not prompted again if a sign-in is optional', async () => {
  const first = await openAsked({ signIn: { required: false } })
  closeModal(first.app)
  first.app.destroy()
  const second = open({ signIn: { required: false } }, first)
  await settle()
  expect(second.app.store.getState().connections.eip155.status).toBe('connected')
  expect(second.app.store.getState().modal.open).toBe(false)
})

test('behavior: another tab that signs in closes the question here', async () => {
  const first = await openAsked()
  const second = open({ signIn: {} }, first)
  await settle()
  expect(second.top()).toMatchObject({ name: 'SIWXSignMessage' })
  await signIn(first)
  await settle()
  expect(second.session()).toMatchObject({ token: 'token1' })
  expect(second.app.store.getState().modal.open).toBe(false)
})

test('behavior: disconnecting signs out, unless it is configured not to', async () => {
  for (const signOutOnDisconnect of [true, false]) {
    const opened = await openAsked({ signIn: { signOutOnDisconnect } })
    await signIn(opened)
    await disconnect(opened.app)
    await settle()
    const outs = opened.server.asked.filter(({ path }) => path === 'sign-out')
    expect(outs.map(({ authorization }) => authorization)).toEqual(
      signOutOnDisconnect ? ['Bearer token1'] : [],
    )
    expect(opened.app.storage.get('siwxSessions')).toHaveLength(signOutOnDisconnect ? 0 : 1)
  }
})

test('behavior: two wallets sign in on their own: a switch keeps both, a disconnect ends one', async () => {
  const opened = await openAsked({ signIn: { required: false } })
  const { app, server } = opened
  await signIn(opened)
  const second = Object.assign(createFakeWallet(), { accounts: [bob] })
  app.connectors.set('a.two', fakeConnector({ id: 'a.two', wallet: second }))
  await connect(app, { connectorId: 'a.two' })
  await settle()
  expect(opened.session()).toBeNull()
  expect(opened.top()).toMatchObject({ name: 'SIWXSignMessage' })
  server.account = bob
  await signIn(opened)
  expect(opened.session()).toMatchObject({ data: { accountAddress: bob } })
  await switchConnection(app, { connectorId: 'a.one' })
  await settle()
  expect(opened.session()).toMatchObject({ data: { accountAddress: alice } })
  const outs = () => server.asked.filter(({ path }) => path === 'sign-out')
  expect(outs()).toEqual([])
  await disconnect(app, { connectorId: 'a.one' })
  await settle()
  expect(outs().map(({ authorization }) => authorization)).toEqual(['Bearer token1'])
  expect(opened.session()).toMatchObject({ data: { accountAddress: bob } })
})

test('behavior: disconnecting a wallet that another is about to replace ends its sign-in', async () => {
  const opened = await openAsked()
  const { app, server } = opened
  await signIn(opened)
  const second = createFakeWallet()
  second.answers.eth_requestAccounts = () => new Promise(() => {})
  app.connectors.set('a.two', fakeConnector({ id: 'a.two', wallet: second }))
  const connecting = connect(app, { connectorId: 'a.two' })
  await disconnect(app, { connectorId: 'a.one' })
  await settle()
  expect(server.asked.at(-1)).toMatchObject({ path: 'sign-out', authorization: 'Bearer token1' })
  await disconnect(app)
  await expect(connecting).rejects.toMatchObject({ code: 'ABORTED' })
})

test('behavior: disconnecting a wallet that has not announced itself ends its sign-in', async () => {
  const first = await openAsked()
  first.app.connectors.set('a.two', fakeConnector({ id: 'a.two', wallet: createFakeWallet() }))
  await connect(first.app, { connectorId: 'a.two' })
  first.app.connectors.delete('a.one')
  await disconnect(first.app, { connectorId: 'a.one' })
  await signIn(first)
  first.app.destroy()
  const second = open({ signIn: {} }, first)
  await settle()
  expect(second.app.store.getState().connections.eip155.status).toBe('reconnecting')
  await disconnect(second.app, { connectorId: 'a.two' })
  await settle()
  const outs = first.server.asked.filter(({ path }) => path === 'sign-out')
  expect(outs.map(({ authorization }) => authorization)).toEqual(['Bearer token1'])
})

test('behavior: signing out keeps the wallet if a sign-in is optional, and disconnects it if required', async () => {
  for (const required of [true, false]) {
    const opened = await openAsked({ signIn: { required } })
    await signIn(opened)
    await signOutSession(opened.app)
    await settle()
    expect(opened.session()).toBeNull()
    expect(opened.app.store.getState().modal.open).toBe(false)
    expect(opened.app.store.getState().connections.eip155.status).toBe(
      required ? 'disconnected' : 'connected',
    )
    const outs = opened.server.asked.filter(({ path }) => path === 'sign-out')
    expect(outs.map(({ authorization }) => authorization)).toEqual(['Bearer token1'])
  }
})

test('behavior: signing in again ends the earlier sign-in on the server', async () => {
  const opened = await openAsked({ signIn: { required: false } })
  await signIn(opened)
  await signIn(opened)
  expect(opened.session()).toMatchObject({ token: 'token2' })
  expect(opened.app.storage.get('siwxSessions')).toMatchObject([{ token: 'token2' }])
  const outs = opened.server.asked.filter(({ path }) => path === 'sign-out')
  expect(outs.map(({ authorization }) => authorization)).toEqual(['Bearer token1'])
})

test('param: namespaces: an account of another namespace is signed out, not looked up', async () => {
  const { app, server, session } = await openAsked({ signIn: { namespaces: ['solana'] } })
  expect(session()).toBeNull()
  expect(app.store.getState().modal.open).toBe(false)
  expect(server.asked).toEqual([])
  await disconnect(app)
  await expect(prepareSignIn(app)).rejects.toMatchObject({ code: 'NOT_CONNECTED' })
})

test('error: a refusal says that the signature was declined, and the server’s reason is its own', async () => {
  const opened = await openAsked()
  opened.wallet.answers.personal_sign = () => {
    throw rpcError(4001, 'no')
  }
  await expect((await prepareSignIn(opened.app)).sign()).rejects.toMatchObject({
    code: 'SIGNATURE_DECLINED',
  })
  delete opened.wallet.answers.personal_sign
  const prepared = await prepareSignIn(opened.app)
  opened.server.status = 400
  await expect(prepared.sign()).rejects.toMatchObject({
    code: 'HTTP_FAILED',
    data: { reason: 'Sign in' },
  })
  expect(opened.session()).toBeNull()
})

test('error: a wallet that signs after its account was disconnected or changed leaves no session', async () => {
  for (const change of ['disconnect', 'account'] as const) {
    const opened = await openAsked()
    const { app, server, wallet } = opened
    const waiting = deferred<string>()
    wallet.answers.personal_sign = () => waiting.promise
    const signing = (await prepareSignIn(app)).sign()
    const refused = expect(signing).rejects.toMatchObject({ code: 'CONNECTION_CHANGED' })
    await settle()
    if (change === 'disconnect') await cancelSignIn(app)
    else wallet.emit('accountsChanged', [bob])
    await settle()
    waiting.resolve(`0x${'ab'.repeat(65)}`)
    await refused
    expect(server.asked.map(({ path }) => path)).not.toContain('verify')
    expect(app.storage.get('siwxSessions') ?? []).toEqual([])
    expect(opened.session()).toBeNull()
  }
})

test('error: a session that the server opens after the account was disconnected is ended', async () => {
  const opened = await openAsked()
  const { app, server } = opened
  const held = deferred<void>()
  server.holds.verify = held.promise
  const signing = (await prepareSignIn(app)).sign()
  const refused = expect(signing).rejects.toMatchObject({ code: 'CONNECTION_CHANGED' })
  await settle()
  expect(server.asked.at(-1)?.path).toBe('verify')
  await disconnect(app)
  held.resolve()
  await refused
  expect(server.asked.at(-1)).toMatchObject({
    path: 'sign-out',
    authorization: 'Bearer token1',
  })
  expect(app.storage.get('siwxSessions')).toEqual([])
  expect(app.store.getState().sessions).toEqual({})
})

test('error: disconnecting while the session is looked up ends it, and the late answer is no sign-in', async () => {
  const first = await openAsked()
  await signIn(first)
  first.app.destroy()
  const { server } = first
  const held = deferred<void>()
  server.holds.session = held.promise
  const second = open({ signIn: {} }, first)
  await settle()
  expect(second.session()).toBeUndefined()
  await disconnect(second.app)
  await settle()
  expect(server.asked.at(-1)).toMatchObject({ path: 'sign-out', authorization: 'Bearer token1' })
  held.resolve()
  await settle()
  expect(second.app.store.getState().sessions).toEqual({})
})

test('error: another tab signs out while this one looks: the old answer is not believed', async () => {
  const first = await openAsked({ signIn: { required: false } })
  await signIn(first)
  const held = deferred<void>()
  first.server.holds.session = held.promise
  const second = open({ signIn: { required: false } }, first)
  await settle()
  await signOutSession(first.app)
  await settle()
  held.resolve()
  await settle()
  expect(second.session()).toBeNull()
})

test('error: disconnecting ends the sign-ins on all networks', async () => {
  const opened = await openAsked({ signIn: { per: 'network' } })
  await signIn(opened)
  await switchNetwork(opened.app, { chainId: 'eip155:31338' })
  await settle()
  await signIn(opened)
  await disconnect(opened.app)
  await settle()
  const outs = opened.server.asked.filter(({ path }) => path === 'sign-out')
  expect(outs.map(({ authorization }) => authorization).sort()).toEqual([
    'Bearer token1',
    'Bearer token2',
  ])
  expect(opened.app.storage.get('siwxSessions')).toEqual([])
})

test('error: a server without a token, or with another account’s token, signs no one in', async () => {
  const opened = await openAsked()
  opened.server.hasToken = false
  await expect((await prepareSignIn(opened.app)).sign()).rejects.toMatchObject({
    code: 'ANSWER_INVALID',
  })
  expect(opened.session()).toBeNull()
  opened.server.hasToken = true
  await signIn(opened)
  opened.app.destroy()
  opened.server.account = bob
  const second = open({ signIn: {} }, opened)
  await settle()
  expect(second.session()).toBeNull()
  expect(second.top()).toMatchObject({ name: 'SIWXSignMessage' })
})

test('error: the question does not outlast the connection', async () => {
  const { app } = await openAsked()
  await disconnect(app)
  await settle()
  expect(app.store.getState().modal.open).toBe(false)
})

test('behavior: the app’s own functions, with its own message format', async () => {
  const sessions: SiwxSession[] = []
  const siwx = {
    createMessage: async ({
      accountAddress,
      chainId,
    }: {
      accountAddress: string
      chainId: 'eip155:1'
    }) => ({
      domain: 'shop.example',
      uri: 'https://shop.example',
      version: '1' as const,
      nonce: 'nonce0001',
      issuedAt: new Date(now).toISOString(),
      accountAddress,
      chainId,
      toString: () => 'Let me in',
    }),
    addSession: async (session: SiwxSession) => void sessions.push(session),
    getSessions: async () => sessions,
    setSessions: async () => {},
    revokeSession: vi.fn(async () => {}),
  }
  const opened = await openAsked({ signIn: siwx as unknown as SiwxConfig })
  await signIn(opened)
  expect(sessions).toMatchObject([{ message: 'Let me in', data: { accountAddress: alice } }])
  expect(opened.session()).toBe(sessions[0])
  expect(opened.server.asked).toEqual([])
  // They answer with all that they have: another account's is not this one's.
  opened.wallet.accounts = [bob]
  opened.wallet.emit('accountsChanged', [bob])
  await settle()
  expect(opened.session()).toBeNull()
  expect(opened.top()).toMatchObject({ name: 'SIWXSignMessage' })
  opened.wallet.accounts = [alice]
  opened.wallet.emit('accountsChanged', [alice])
  await settle()
  await disconnect(opened.app)
  expect(siwx.revokeSession).toHaveBeenCalledWith('eip155:31337', alice)
})

/** The settings of an older app, whose backend keeps a single session. */
function createSiweConfig(settings: Partial<SiweConfig> = {}) {
  let session: { address: string; chainId: number } | null = null
  const siweConfig = {
    getNonce: async () => 'nonce0001',
    createMessage: (asked: { address: string; chainId: number; nonce: string }) =>
      `${asked.address} on ${asked.chainId} with ${asked.nonce}`,
    async verifyMessage({ message }: { message: string }) {
      const [, address = '', chainId] = /^(\w+) on (\d+) with nonce0001$/.exec(message) ?? []
      session = { address, chainId: Number(chainId) }
      return address !== ''
    },
    getSession: async () => session,
    async signOut() {
      session = null
      return true
    },
    onSignIn: vi.fn(),
    onSignOut: vi.fn(),
    ...settings,
  }
  return siweConfig
}

test('behavior: siweConfig is understood', async () => {
  const siweConfig = createSiweConfig()
  const { onSignIn, onSignOut } = siweConfig
  const opened = await openAsked({ signIn: { siwe: siweConfig } })
  expect(opened.top()).toEqual({ name: 'ConnectingSiwe', isRequired: true })
  await signIn(opened)
  expect(opened.app.store.getState().modal.open).toBe(false)
  expect(onSignIn).toHaveBeenCalledWith({ address: alice, chainId: 31337 })
  await disconnect(opened.app)
  await settle()
  expect(onSignOut).toHaveBeenCalledOnce()
  const again = await openAsked({ signIn: { siwe: siweConfig } })
  await signIn(again)
  await signOutSession(again.app)
  await settle()
  expect(onSignOut).toHaveBeenCalledTimes(2)
})

test('behavior: siweConfig: its backend has one session: a return to an earlier account prompts again', async () => {
  const opened = await openAsked({ signIn: { siwe: createSiweConfig() } })
  const switchTo = async (account: string) => {
    opened.wallet.accounts = [account]
    opened.wallet.emit('accountsChanged', [account])
    await settle()
  }
  await signIn(opened)
  await switchTo(bob)
  await signIn(opened)
  expect(opened.session()).toMatchObject({ data: { accountAddress: bob } })
  await switchTo(alice)
  expect(opened.session()).toBeNull()
  expect(opened.top()).toMatchObject({ name: 'ConnectingSiwe' })
})

test('behavior: siweConfig: a wallet that is not in use leaves without the session of another', async () => {
  const onSignOut = vi.fn()
  const opened = await openAsked({ signIn: { siwe: createSiweConfig({ onSignOut }) } })
  const { app } = opened
  const second = Object.assign(createFakeWallet(), { accounts: [bob] })
  app.connectors.set('a.two', fakeConnector({ id: 'a.two', wallet: second }))
  for (const isKnown of [true, false]) {
    await connect(app, { connectorId: 'a.two' })
    await switchConnection(app, { connectorId: 'a.one' })
    await settle()
    if (isKnown) await signIn(opened)
    else app.store.setState({ sessions: {} })
    second.emit('accountsChanged', [])
    await settle()
    expect(opened.session()).toMatchObject({ data: { accountAddress: alice } })
    expect(onSignOut).not.toHaveBeenCalled()
  }
  await connect(app, { connectorId: 'a.two' })
  await settle()
  await disconnect(app, { connectorId: 'a.one' })
  await settle()
  expect(onSignOut).toHaveBeenCalledOnce()
})

test('param: siweConfig: signOutOnNetworkChange asks on each network', async () => {
  for (const signOutOnNetworkChange of [true, false]) {
    const siweConfig = createSiweConfig({ signOutOnNetworkChange })
    const opened = await openAsked({ signIn: { siwe: siweConfig } })
    await signIn(opened)
    await switchNetwork(opened.app, { chainId: 'eip155:31338' })
    await settle()
    expect(opened.session() === null).toBe(signOutOnNetworkChange)
    expect(opened.app.store.getState().modal.open).toBe(signOutOnNetworkChange)
    opened.app.destroy()
  }
})

test('behavior: siweConfig: leaving several networks at once signs out once', async () => {
  for (const leave of [disconnect, signOutSession]) {
    const onSignOut = vi.fn()
    const siweConfig = createSiweConfig({ signOutOnNetworkChange: true, onSignOut })
    const opened = await openAsked({ signIn: { siwe: siweConfig } })
    await signIn(opened)
    await leave(opened.app)
    await settle()
    expect(onSignOut).toHaveBeenCalledOnce()
    opened.app.destroy()
  }
})

test('behavior: a sign-in leaves the sign-ins of other networks if the server keeps each', async () => {
  const opened = await openAsked({ signIn: { per: 'network' } })
  await signIn(opened)
  await switchNetwork(opened.app, { chainId: 'eip155:31338' })
  await settle()
  await signIn(opened)
  expect(Object.values(opened.app.store.getState().sessions).filter(Boolean)).toHaveLength(2)
})

test('param: siweConfig: enabled: false prompts no one, and requires nothing', async () => {
  const opened = await openAsked({ signIn: { siwe: createSiweConfig({ enabled: false }) } })
  expect(opened.app.store.getState().modal.open).toBe(false)
  expect(opened.session()).toBeNull()
  expect(isSignInRequired(opened.app)).toBe(false)
})

test('behavior: without a configuration, nothing is requested or loaded', async () => {
  const { app, server } = await openAsked({})
  expect(app.store.getState().modal.open).toBe(false)
  expect(getSession(app, app.store.getState())).toBeNull()
  expect(server.asked).toEqual([])
  await disconnect(app)
  await expect(prepareSignIn(app)).rejects.toMatchObject({ code: 'NOT_CONNECTED' })
})
