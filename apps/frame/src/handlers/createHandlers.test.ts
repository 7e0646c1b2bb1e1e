import {
  type FrameAccountType,
  type FramePageFacts,
  isError,
  type LoginTokens,
  readMeRoute,
  setAccountTypeRoute,
} from '@latchkey/wire'
import { beforeEach, expect, test, vi } from 'vitest'
import { createLoginSession, type LoginSession } from '../auth/loginSession.ts'
import type { FrameContext } from '../context.ts'
import { announceWallet } from '../flows/walletNews.ts'
import { createScreenQueue } from '../screens/screenQueue.ts'
import { createMemoryStore, type KeyStore } from '../wallet/keyStore.ts'
import { createHandlers } from './createHandlers.ts'

const origin = 'http://app.example'
const addressOf = (name: string) => ({
  eip155: `0x${(name === 'ann' ? 'a' : 'b').repeat(40)}`,
  solana: '1'.repeat(32),
})
const tokensOf = (name: string): LoginTokens => ({
  accessToken: name.padEnd(43, '0'),
  refreshToken: name.padEnd(43, '1'),
  expiresInSeconds: 600,
  stepUpSeconds: 0,
  userId: name,
  deviceId: `device of ${name}`,
  email: `${name}@people.example`,
})

let store: KeyStore
let signedBy: string[]
/** The requests to the server, by path. */
let asked: string[]
/** The owner of the addresses in use, if the wallet is not the user's first. */
let inUse: string | undefined
/** Whether the wallet has no way of recovery. */
let lacksRecovery: true | undefined
/** A step that runs while the key worker reads the state of the wallet, once. */
let whileReading: (() => Promise<void>) | undefined
/** The networks that the frame has. */
let chains: FramePageFacts['chains']
/**
 * The server's report of the session; undefined while it is unreachable. Older servers report fewer
 * fields.
 */
let me: { readonly hadNoEmail?: boolean } | undefined
beforeEach(() => {
  me = undefined
  chains = [{ id: 'eip155:1' }]
  store = createMemoryStore()
  signedBy = []
  asked = []
  inUse = undefined
  lacksRecovery = undefined
  whileReading = undefined
})

/** A tab's session; all tabs share the browser's store. */
const openTab = (): LoginSession =>
  createLoginSession({
    store,
    send: async ({ path }) => {
      asked.push(path)
      if (path === setAccountTypeRoute.path) return {}
      if (path !== readMeRoute.path || !me) throw new Error('no server')
      const { userId, deviceId, email } = tokensOf('ann')
      return { userId, deviceId, email, stepUpSeconds: 0, undoSeconds: 0, ...me }
    },
    now: Date.now,
  })

/**
 * A tab with the frame in its page; its keys belong to the signed-in user, like the key worker's.
 * `more` is in its window.
 */
function openFrame(more: object = {}) {
  const session = openTab()
  const screenQueue = createScreenQueue()
  const said: string[] = []
  const emails: unknown[] = []
  const keys = {
    do: async (work: string) => {
      const name = (await session.read())?.userId ?? ''
      if (work === 'getStatus') {
        const meanwhile = whileReading
        whileReading = undefined
        await meanwhile?.()
        return {
          status: 'ready',
          durable: true,
          addresses: addressOf(inUse ?? name),
          lacksRecovery,
        }
      }
      signedBy.push(name)
      return { signature: `0x${'0'.repeat(130)}` }
    },
    close: () => {},
  }
  const facts = {
    projectId: 'local',
    ancestors: [origin],
    recoveryLater: [origin],
    otpSurface: 'frame',
    emailLogin: true,
    chains,
  }
  // Nothing is loaded ahead where data is dear.
  const window = { navigator: { connection: { saveData: true } }, ...more }
  const context = { window, facts, store, session, keys, screenQueue, read: async () => null }
  const frame = createHandlers(context as unknown as FrameContext, {
    origin,
    emit: (name, body) => {
      said.push(name)
      if (name === 'FRAME_EMAIL') emails.push(body)
    },
    closed: new AbortController().signal,
  })
  const requestContext = { signal: new AbortController().signal }
  /** What is on the stage, once it is there. */
  const shown = async () => {
    await expect.poll(() => screenQueue.current()?.view).toBeDefined()
    return screenQueue.current()?.props as { done: () => void; approve: () => Promise<unknown> }
  }
  return {
    session,
    said,
    emails,
    shown,
    screenQueue,
    getUser: async () => {
      const asked = frame.APP_GET_USER({}, requestContext as never)
      if (!(await store.get(`consent ${origin}`))) (await shown()).done()
      return asked
    },
    askUser: () => Promise.resolve(frame.APP_GET_USER({}, requestContext as never)),
    connectPasskey: async (name: string) => {
      const asked = frame.APP_CONNECT_PASSKEY({} as never, requestContext as never)
      const { done } = await shown()
      await session.saveTokens(tokensOf(name))
      done()
      return () => asked
    },
    openSettings: async () => {
      const asked = frame.APP_OPEN({ page: 'smart-account' } as never, requestContext as never)
      const { done } = await shown()
      return async () => {
        done()
        await asked
      }
    },
    switchNetwork: (chainId: number) =>
      frame.APP_SWITCH_NETWORK({ chainId }, requestContext as never),
    initSmartAccount: async () => frame.APP_INIT_SMART_ACCOUNT({}, requestContext as never),
    preferAccount: async (type: FrameAccountType) =>
      frame.APP_SET_PREFERRED_ACCOUNT({ type }, requestContext as never),
    accounts: async () =>
      frame.APP_RPC_REQUEST({ method: 'eth_accounts' } as never, requestContext as never),
    disconnect: async () =>
      frame.APP_RPC_REQUEST({ method: 'wallet_disconnect' } as never, requestContext as never),
    sign: async (name: string) => {
      const params = ['0x6869', addressOf(name).eip155]
      return frame.APP_RPC_REQUEST(
        { method: 'personal_sign', params } as never,
        requestContext as never,
      )
    },
  }
}

const signedOut = (error: unknown) => isError(error, 'SIGNED_OUT')
const notSupported = (error: unknown) => isError(error, 'CHAIN_NOT_SUPPORTED')
const answerInvalid = (error: unknown) => isError(error, 'ANSWER_INVALID')

test('default: what is shown is signed by the account that was shown', async () => {
  const tab = openFrame()
  await tab.session.saveTokens(tokensOf('ann'))
  expect(await tab.getUser()).toMatchObject({ address: addressOf('ann').eip155 })
  const signing = tab.sign('ann')
  void (await tab.shown()).approve().then(() => tab.screenQueue.close())
  await signing.catch(() => {})
  expect(signedBy).toEqual(['ann'])
})

test('default: wallet_disconnect ends the page’s access and pending requests without a prompt, not the login', async () => {
  const tab = openFrame()
  expect(await tab.disconnect()).toBeNull()
  await tab.session.saveTokens(tokensOf('ann'))
  await tab.getUser()
  await store.put('consent http://other.example', await store.get(`consent ${origin}`))
  const signing = tab.sign('ann').catch((error: unknown) => isError(error) && error.code)
  await tab.shown()
  expect(await tab.disconnect()).toBeNull()
  expect(await signing).toBe('ABORTED')
  expect(await tab.accounts()).toEqual([])
  await expect(tab.sign('ann')).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  expect(await tab.disconnect()).toBeNull()
  expect(tab.said.filter((name) => name === 'FRAME_SIGNED_OUT')).toHaveLength(1)
  expect(signedBy).toEqual([])
  expect(await tab.session.read()).toMatchObject({ userId: 'ann' })
  expect(await store.get('consent http://other.example')).toBeDefined()
  // The page may connect once more, after the user has agreed.
  expect(await tab.getUser()).toMatchObject({ address: addressOf('ann').eip155 })
})

test('behavior: after a sign-in as another user in another tab, the page gets the user only on request', async () => {
  const tab = openFrame()
  await tab.session.saveTokens(tokensOf('ann'))
  await tab.getUser()
  await openTab().saveTokens(tokensOf('bob'))
  await expect(tab.accounts()).rejects.toSatisfy(signedOut)
  expect(tab.said).toContain('FRAME_SIGNED_OUT')
  await expect(tab.sign('ann')).rejects.toThrow()
  const asked = tab.askUser()
  // What Ann has allowed, Bob has not.
  await expect.poll(() => tab.screenQueue.current()?.view).toBe('consent')
  ;(await tab.shown()).done()
  const { email, address } = await asked
  expect({ email, address }).toEqual({
    email: 'bob@people.example',
    address: addressOf('bob').eip155,
  })
  expect(await tab.accounts()).toEqual([addressOf('bob').eip155])
})

test('behavior: a page that knows the account is notified once when its type changes, other pages are not', async () => {
  const tab = openFrame()
  await tab.session.saveTokens(tokensOf('ann'))
  const key = `account type ${addressOf('ann').eip155}`
  const change = async (type: string) => {
    const close = await tab.openSettings()
    await store.put(key, type)
    await close()
  }
  await change('smartAccount')
  expect(tab.said).toEqual([])
  expect(await tab.getUser()).toMatchObject({ preferredAccountType: 'smartAccount' })
  await change('smartAccount')
  expect(tab.said).toEqual([])
  await change('eoa')
  expect(tab.said).toEqual(['FRAME_ACCOUNT_TYPE'])
  await store.delete(`consent ${origin}`)
  await change('smartAccount')
  expect(tab.said).toEqual(['FRAME_ACCOUNT_TYPE'])
})

test('behavior: a choice that comes with an approval is sent once it is given', async () => {
  vi.stubGlobal('navigator', {})
  const tab = openFrame()
  await tab.session.saveTokens(tokensOf('ann'))
  await tab.getUser()
  const mark = `account type to send ${addressOf('ann').eip155}`
  const signing = tab.sign('ann')
  const { approve } = await tab.shown()
  await store.put(mark, 'smartAccount')
  expect(asked).not.toContain(setAccountTypeRoute.path)
  void approve().then(() => tab.screenQueue.close())
  await signing.catch(() => {})
  await expect.poll(() => store.get(mark)).toBeUndefined()
  expect(asked).toContain(setAccountTypeRoute.path)
})

test('behavior: a consent from before the account had an address does not cover it; a new consent does', async () => {
  for (const stored of [undefined, 'ann']) {
    store = createMemoryStore()
    // As it was stored before it said so.
    if (stored) await store.put(`consent ${origin}`, stored)
    const tab = openFrame()
    await tab.session.saveTokens({ ...tokensOf('ann'), email: null })
    expect(await tab.getUser()).toMatchObject({ email: null })
    // Added on another page, and known here once the session is renewed.
    await tab.session.saveTokens(tokensOf('ann'))
    expect(await tab.getUser()).toMatchObject({ email: null, address: addressOf('ann').eip155 })
    expect(await tab.accounts()).toEqual([addressOf('ann').eip155])
    expect(tab.emails).toEqual([])

    await store.delete(`consent ${origin}`)
    expect(await tab.getUser()).toMatchObject({ email: 'ann@people.example' })
    await tab.session.saveTokens({ ...tokensOf('ann'), email: 'next@people.example' })
    await expect.poll(() => tab.emails).toEqual([{ email: 'next@people.example' }])
  }
})

test('security: an old consent covers the address only if the account began with that address', async () => {
  for (const hadNoEmail of [true, false]) {
    store = createMemoryStore()
    await store.put(`consent ${origin}`, 'ann')
    const tab = openFrame()
    await tab.session.saveTokens(tokensOf('ann'))
    // Not while the server cannot say, nor while an older one does not.
    for (const said of [undefined, {}]) {
      me = said
      expect(await tab.askUser()).toMatchObject({ email: null, address: addressOf('ann').eip155 })
    }
    me = { hadNoEmail }
    const email = hadNoEmail ? null : 'ann@people.example'
    expect(await tab.askUser()).toMatchObject({ email, address: addressOf('ann').eip155 })
    me = undefined
    expect(await tab.askUser()).toMatchObject({ email })
  }
})

test('security: what is granted is what the question showed, also if an address was added before the press', async () => {
  const tab = openFrame()
  await tab.session.saveTokens({ ...tokensOf('ann'), email: null })
  const asked = tab.askUser()
  const { done } = await tab.shown()
  await tab.session.saveTokens(tokensOf('ann'))
  done()
  expect(await asked).toMatchObject({ email: null, address: addressOf('ann').eip155 })
})

test('error: an approval of one account is not signed by another that signed in meanwhile', async () => {
  const tab = openFrame()
  await tab.session.saveTokens(tokensOf('ann'))
  await tab.getUser()
  const signing = tab.sign('ann')
  signing.catch(() => {})
  const { approve } = await tab.shown()
  await openTab().saveTokens(tokensOf('bob'))
  await expect(approve()).rejects.toSatisfy(signedOut)
  await expect(signing).rejects.toSatisfy((error) => isError(error, 'ABORTED'))
  expect(signedBy).toEqual([])
  expect(tab.screenQueue.current()).toBeUndefined()
})

test('behavior: fresh tokens of the same session interrupt nothing', async () => {
  const tab = openFrame()
  await tab.session.saveTokens(tokensOf('ann'))
  await tab.getUser()
  const signing = tab.sign('ann')
  signing.catch(() => {})
  const { approve } = await tab.shown()
  await openTab().saveTokens({ ...tokensOf('ann'), accessToken: 'x'.repeat(43) })
  await tab.session.saveTokens({ ...tokensOf('ann'), accessToken: 'y'.repeat(43) })
  await approve()
  expect(signedBy).toEqual(['ann'])
})

test('behavior: if another wallet comes into use, the page is notified and the old wallet’s work ends', async () => {
  const tab = openFrame()
  await tab.session.saveTokens(tokensOf('ann'))
  expect(await tab.getUser()).toMatchObject({ address: addressOf('ann').eip155 })
  const signing = tab.sign('ann')
  await tab.shown()
  inUse = 'bob'
  announceWallet()
  await expect(signing).rejects.toSatisfy((error) => isError(error, 'ABORTED'))
  await expect.poll(() => tab.said).toContain('FRAME_ACCOUNT')
  expect(await tab.askUser()).toMatchObject({ address: addressOf('bob').eip155 })
  expect(signedBy).toEqual([])
})

test('behavior: a page is notified that recovery is missing, and once any tab sets it up', async () => {
  lacksRecovery = true
  const tab = openFrame()
  await tab.session.saveTokens(tokensOf('ann'))
  expect(await tab.getUser()).toMatchObject({ isRecoverable: false })
  const close = await tab.openSettings()
  await close()
  expect(tab.said).not.toContain('FRAME_RECOVERY')
  lacksRecovery = undefined
  announceWallet()
  await expect.poll(() => tab.said).toContain('FRAME_RECOVERY')
  expect(await tab.askUser()).not.toHaveProperty('isRecoverable')
})

test('behavior: news of a way of recovery interrupts no request', async () => {
  lacksRecovery = true
  const tab = openFrame()
  await tab.session.saveTokens(tokensOf('ann'))
  await tab.getUser()
  lacksRecovery = undefined
  const users: Promise<unknown>[] = []
  // A request at each of its steps when the state arrives.
  whileReading = async () => {
    for (let step = 0; step < 150; step++) {
      users.push(tab.getUser())
      await Promise.resolve()
    }
  }
  announceWallet()
  await expect.poll(() => tab.said).toContain('FRAME_RECOVERY')
  expect(users.length).toBe(150)
  await Promise.all(users)
  expect(await tab.getUser()).not.toHaveProperty('isRecoverable')
})

test('unproven visibility: after a passkey sign-in, the page gets the account only if the user agrees', async () => {
  const tab = openFrame()
  const connecting = await tab.connectPasskey('ann')
  await expect.poll(() => tab.screenQueue.current()?.view).toBe('consent')
  expect(await store.get(`consent ${origin}`)).toBe(undefined)
  ;(await tab.shown()).done()
  expect(await connecting()).toMatchObject({ email: 'ann@people.example' })
})

test('default: after a passkey sign-in on a screen that the browser vouches for, there is no second prompt', async () => {
  const vouching = { IntersectionObserverEntry: { prototype: { isVisible: true } } }
  const tab = openFrame(vouching)
  const connecting = await tab.connectPasskey('ann')
  expect(await connecting()).toMatchObject({ email: 'ann@people.example' })
})

test('error: without a network that has smart accounts, no type can be chosen and no prompt appears', async () => {
  const tab = openFrame()
  await tab.session.saveTokens(tokensOf('ann'))
  await tab.getUser()
  await expect(tab.initSmartAccount()).rejects.toSatisfy(notSupported)
  for (const type of ['smartAccount', 'eoa'] as const)
    await expect(tab.preferAccount(type)).rejects.toSatisfy(notSupported)
  expect(tab.screenQueue.current()).toBeUndefined()
})

test('error: a network without smart accounts starts none, even if another network has them', async () => {
  chains = [{ id: 'eip155:1' }, { id: 'eip155:2', smartAccounts: {} }]
  const tab = openFrame()
  await tab.session.saveTokens(tokensOf('ann'))
  const { preferredAccountType: type = 'smartAccount' } = await tab.getUser()
  await expect(tab.initSmartAccount()).rejects.toSatisfy(notSupported)
  const chosen = { type, address: addressOf('ann').eip155 }
  expect(await tab.preferAccount(type)).toEqual(chosen)
  await tab.switchNetwork(2)
  // In that case the frame reads it from the network, and this test has no network.
  await expect(tab.initSmartAccount()).rejects.toSatisfy(answerInvalid)
})
