import { LatchkeyError } from '@latchkey/wire'
import { expect, test } from 'vitest'
import { email, logIn, openEmailApp } from '../../../../test/emailApp.ts'
import { createFakeFrame } from '../../../../test/fakeFrame.ts'
import { alice, bob, deferred } from '../../../../test/fakeWallet.ts'
import { createBrowser, settle } from '../../../../test/tab.ts'
import { signOut } from '../../../embedded/signOut.ts'
import { switchNetwork } from '../../../network/switchNetwork.ts'
import { connect } from '../../connect.ts'
import { reconnect } from '../../reconnect.ts'
import { request } from '../../requests/request.ts'
import { embeddedId } from '../embedded.ts'

const count = (frame: ReturnType<typeof createFakeFrame>) =>
  frame.calls.filter(({ method }) => method === 'APP_SIGN_OUT').length
const users = (frame: ReturnType<typeof createFakeFrame>) =>
  frame.calls.filter(({ method }) => method === 'APP_GET_USER').map(({ params }) => params)

test('default: the network is changed in the frame, and remembered', async () => {
  const frame = createFakeFrame()
  const app = openEmailApp(frame)
  await logIn(app)
  await switchNetwork(app, { chainId: 'eip155:31338' })
  expect(frame.calls.at(-1)).toEqual({ method: 'APP_SWITCH_NETWORK', params: { chainId: 31338 } })
  expect(app.store.getState().connections.eip155).toMatchObject({ chainId: 'eip155:31338' })
  expect(app.storage.get('lastUsedChainId')).toBe('eip155:31338')
  expect(await request(app, { method: 'eth_chainId' })).toBe('0x7a6a')
  app.destroy()
})

test('default: a network that a request of the page changes is taken over', async () => {
  const frame = createFakeFrame()
  const app = openEmailApp(frame)
  await logIn(app)
  const params = [{ chainId: '0x7a6a' }]
  expect(await request(app, { method: 'wallet_switchEthereumChain', params })).toBe(null)
  expect(app.store.getState().connections.eip155).toMatchObject({ chainId: 'eip155:31338' })
  expect(app.store.getState().activeChainId).toBe('eip155:31338')
  app.destroy()
})

for (const by of ['a request of the page', 'the list of networks'] as const)
  test(`behavior: a network that ${by} changes right after a reload is kept`, async () => {
    const browser = createBrowser()
    const frame = createFakeFrame()
    const before = openEmailApp(frame, browser.openTab())
    await logIn(before)
    before.destroy()
    const late = deferred<void>()
    frame.handlers.APP_GET_USER = async ({ chainId = 31337 }) => {
      await late.promise
      return { email, address: alice, chainId }
    }
    const app = openEmailApp(frame, browser.openTab())
    await expect.poll(() => users(frame).length).toBe(2)
    const params = [{ chainId: '0x7a6a' }]
    if (by === 'a request of the page')
      await request(app, { method: 'wallet_switchEthereumChain', params })
    else await switchNetwork(app, { chainId: 'eip155:31338' })
    late.resolve()
    await expect
      .poll(() => app.store.getState().connections.eip155)
      .toMatchObject({ status: 'connected', chainId: 'eip155:31338' })
    await settle()
    expect(app.store.getState().activeChainId).toBe('eip155:31338')
    app.destroy()
  })

test('error: a network that the frame does not support', async () => {
  const frame = createFakeFrame()
  frame.handlers.APP_SWITCH_NETWORK = () => {
    throw new LatchkeyError('CHAIN_NOT_SUPPORTED')
  }
  const app = openEmailApp(frame)
  await logIn(app)
  await expect(switchNetwork(app, { chainId: 'eip155:31338' })).rejects.toMatchObject({
    code: 'CHAIN_NOT_SUPPORTED',
  })
  expect(app.store.getState().connections.eip155).toMatchObject({ chainId: 'eip155:31337' })
  app.destroy()
})

test('behavior: asked for accounts, it says those that are connected', async () => {
  const frame = createFakeFrame()
  const app = openEmailApp(frame)
  await logIn(app)
  frame.handlers.APP_RPC_REQUEST = ({ method }) => (method === 'eth_accounts' ? [alice] : null)
  expect(await request(app, { method: 'eth_requestAccounts' })).toEqual([alice])
  const granted = [
    {
      invoker: undefined,
      parentCapability: 'eth_accounts',
      caveats: [{ type: 'restrictReturnedAccounts', value: [alice] }],
    },
  ]
  expect(await request(app, { method: 'wallet_getPermissions' })).toEqual(granted)
  const askFor = (...params: unknown[]) =>
    request(app, { method: 'wallet_requestPermissions', params })
  expect(await askFor({ eth_accounts: {} })).toEqual(granted)
  for (const params of [[], [null], [{}], [{ snap: {} }], [{ eth_accounts: {}, snap: {} }]])
    await expect(askFor(...params)).rejects.toMatchObject({ code: 'INVALID_PARAMS' })
  await expect(request(app, { method: 'wallet_addEthereumChain', params: [] })).rejects.toThrow(
    'The wallet does not support wallet_addEthereumChain',
  )
  app.destroy()
})

test('behavior: wallet_connect signs the page’s message with the account', async () => {
  const frame = createFakeFrame()
  const app = openEmailApp(frame)
  await logIn(app)
  const asked: unknown[] = []
  frame.handlers.APP_RPC_REQUEST = ({ method, params }) => {
    asked.push([method, params])
    return method === 'eth_accounts' ? [alice] : `0x${'ab'.repeat(65)}`
  }
  const fields = { nonce: 'abcdef0123456789', chainId: '0x7a69', domain: 'app.example' }
  const capabilities = { signInWithEthereum: fields }
  const answer = (await request(app, {
    method: 'wallet_connect',
    params: [{ version: '1', capabilities }],
  })) as { accounts: { capabilities: { signInWithEthereum: { message: string } } }[] }
  const { message } = answer.accounts[0]?.capabilities.signInWithEthereum ?? { message: '' }
  expect(message).toMatch(/^app\.example wants you to sign in with your Ethereum account:\n0x/)
  const hex = `0x${Buffer.from(message).toString('hex')}`
  expect(asked).toEqual([
    ['eth_accounts', []],
    ['personal_sign', [hex, alice]],
  ])
  expect(answer.accounts).toMatchObject([
    { address: alice, capabilities: { signInWithEthereum: { signature: `0x${'ab'.repeat(65)}` } } },
  ])
  await expect(
    request(app, { method: 'wallet_connect', params: [{ version: '3' }] }),
  ).rejects.toMatchObject({ code: 'INVALID_PARAMS' })
  app.destroy()
})

test('behavior: requests the preferred account type and the last network', async () => {
  const browser = createBrowser()
  const frame = createFakeFrame()
  frame.handlers.APP_GET_USER = ({ chainId = 1 }) => ({
    email: null,
    address: bob,
    chainId,
    accounts: [
      { address: alice, type: 'eoa' },
      { address: bob, type: 'smartAccount' },
    ],
    preferredAccountType: 'smartAccount',
  })
  const app = openEmailApp(frame, browser.openTab())
  await logIn(app)
  expect(app.store.getState().connections.eip155).toMatchObject({
    account: { address: bob, type: 'smartAccount' },
    accounts: [{ address: bob }, { address: alice, type: 'eoa' }],
  })
  expect(app.storage.get('preferredAccountTypes')).toEqual({ eip155: 'smartAccount' })
  await connect(app, { connectorId: embeddedId })
  expect(users(frame)).toEqual([
    { chainId: 31337 },
    { chainId: 31337, preferredAccountType: 'smartAccount' },
  ])
  app.destroy()
})

test('behavior: switches only to a network that the frame supports', async () => {
  const frame = createFakeFrame()
  frame.handlers.APP_GET_USER = ({ chainId }) => {
    if (chainId !== undefined) throw new LatchkeyError('CHAIN_NOT_SUPPORTED')
    return { address: alice, chainId: 31338 }
  }
  const app = openEmailApp(frame)
  await logIn(app)
  expect(app.store.getState().connections.eip155).toMatchObject({ chainId: 'eip155:31338' })
  app.destroy()
})

test('error: an invalid account', async () => {
  for (const wrong of [
    { address: 'not an address', chainId: 31337 },
    { address: alice, chainId: 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1' },
    { address: alice, chainId: 31337, accounts: [{ address: '0x1', type: 'eoa' as const }] },
  ]) {
    const frame = createFakeFrame()
    frame.handlers.APP_GET_USER = () => wrong
    const app = openEmailApp(frame)
    await expect(logIn(app)).rejects.toMatchObject({ code: 'WALLET_ANSWER_INVALID' })
    expect(app.store.getState().connections.eip155.status).toBe('disconnected')
    app.destroy()
  }
})

test('error: no consent for this page', async () => {
  const frame = createFakeFrame()
  frame.handlers.APP_GET_USER = () => {
    throw new LatchkeyError('USER_REJECTED')
  }
  const app = openEmailApp(frame)
  await expect(logIn(app)).rejects.toMatchObject({ code: 'USER_REJECTED' })
  expect(app.store.getState()).toMatchObject({
    connections: { eip155: { status: 'disconnected' } },
    user: undefined,
  })
  expect(app.storage.get('emailLoginUsed')).toBeUndefined()
  app.destroy()
})

test('behavior: a sign-out that a page left unfinished is completed at the next visit', async () => {
  const tab = createBrowser().openTab()
  const frame = createFakeFrame()
  const app = openEmailApp(frame, tab)
  await logIn(app)
  frame.handlers.APP_SIGN_OUT = () => new Promise(() => {})
  void signOut(app).catch(() => {})
  await expect.poll(() => count(frame)).toBe(1)
  app.destroy()
  delete frame.handlers.APP_SIGN_OUT
  const next = openEmailApp(frame, tab)
  await expect.poll(() => count(frame)).toBe(2)
  await expect.poll(() => next.storage.get('signOutAtMs')).toBeUndefined()
  expect(next.store.getState().connections.eip155.status).toBe('disconnected')
  next.destroy()
  const last = openEmailApp(frame, tab)
  await reconnect(last)
  expect(count(frame)).toBe(2)
  last.destroy()
})

test('behavior: an unconfirmed sign-out ends neither a later login nor a login of another day', async () => {
  const tab = createBrowser().openTab()
  const frame = createFakeFrame()
  const app = openEmailApp(frame, tab)
  await logIn(app)
  frame.handlers.APP_SIGN_OUT = () => {
    throw new LatchkeyError('FRAME_TIMEOUT')
  }
  await signOut(app).catch(() => {})
  await expect.poll(() => count(frame)).toBe(1)
  await logIn(app)
  expect(app.storage.get('signOutAtMs')).toBeUndefined()
  app.storage.set('signOutAtMs', Date.now() - 25 * 3_600_000)
  app.destroy()
  const next = openEmailApp(frame, tab)
  await reconnect(next).catch(() => {})
  await expect.poll(() => next.store.getState().connections.eip155.status).toBe('connected')
  expect(next.storage.get('signOutAtMs')).toBeUndefined()
  expect(count(frame)).toBe(1)
  next.destroy()
})
