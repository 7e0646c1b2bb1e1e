import { parseSiwxMessage } from '@latchkey/wire/siwx'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import {
  alice,
  bob,
  createFakeWallet,
  fakeConnector,
  rpcError,
} from '../../../../test/fakeWallet.ts'
import { createPage } from '../../../../test/page.ts'
import { openApp } from '../../../../test/tab.ts'
import { connect } from '../../../connection/connect.ts'
import { forceCloseModal } from '../../../modal/modal.ts'
import { createProvider } from '../createProvider.ts'

// The key of alice.
const signer = privateKeyToAccount(
  '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
)
const nonce = 'abcdef0123456789'
const href = 'https://shop.example:8443/cart?secret=1#top'

async function open({ isConnected = true } = {}) {
  const wallet = createFakeWallet()
  wallet.accounts = [alice, bob]
  wallet.answers.personal_sign = (params) =>
    signer.signMessage({ message: { raw: (params as [`0x${string}`])[0] } })
  const page = Object.assign(createPage(), { location: { href, assign: () => {} } })
  const app = openApp({
    connectors: [fakeConnector({ id: 'a.b', wallet })],
    page: page as never,
    now: () => Date.parse('2026-01-31T12:00:00Z'),
  })
  if (isConnected) await connect(app, { connectorId: 'a.b' })
  const provider = createProvider(app)
  const ask = (...params: unknown[]) =>
    provider.request({ method: 'wallet_connect', params }) as Promise<{
      accounts: { address: string; capabilities: { signInWithEthereum?: Signed } }[]
    }>
  const codeOf = (...params: unknown[]) =>
    ask(...params).then(
      () => 'answered',
      (error: { code: number; message: string }) => [error.code, error.message],
    )
  const signs = () => wallet.calls.filter(({ method }) => method === 'personal_sign').length
  return { app, wallet, ask, codeOf, signs }
}
type Signed = { message: string; signature: `0x${string}` }
const signed = ([first]: readonly { capabilities: { signInWithEthereum?: Signed } }[]): Signed => {
  if (!first?.capabilities.signInWithEthereum) throw new Error('Nothing was signed')
  return first.capabilities.signInWithEthereum
}

const signIn = (fields: object = {}) => ({
  version: '1',
  capabilities: { signInWithEthereum: { nonce, chainId: '0x7a69', ...fields } },
})

test('default: the accounts that are connected, the one in use first', async () => {
  const { ask, signs } = await open()
  const accounts = [alice, bob].map((address) => ({ address, capabilities: {} }))
  expect(await ask({ version: '1' })).toEqual({ accounts })
  expect(await ask()).toEqual({ accounts })
  expect(signs()).toBe(0)
})

test('default: signInWithEthereum returns the message with the page’s fields, and its signature', async () => {
  const { ask } = await open()
  const { accounts } = await ask(signIn())
  expect(accounts.map(({ address }) => address)).toEqual([alice, bob])
  expect(accounts[1]?.capabilities).toEqual({})
  const { message, signature } = signed(accounts)
  expect(parseSiwxMessage(message)).toMatchObject({
    message: {
      domain: 'shop.example:8443',
      uri: 'https://shop.example:8443',
      accountAddress: alice,
      chainId: 'eip155:31337',
      version: '1',
      nonce,
      issuedAt: '2026-01-31T12:00:00.000Z',
    },
  })
  expect(message).not.toContain('secret')
  expect(signature).toBe(await signer.signMessage({ message }))
})

test('param: every field of the capability is in the message unchanged', async () => {
  const { ask } = await open()
  const fields = {
    version: '1',
    domain: 'app.example',
    uri: 'https://app.example/login',
    statement: 'Welcome back.',
    issuedAt: '2026-01-01T00:00:00Z',
    expirationTime: '2026-01-02T00:00:00Z',
    notBefore: '2025-12-31T00:00:00Z',
    requestId: 'one',
    resources: ['https://app.example/terms'],
  }
  const { accounts } = await ask(signIn({ ...fields, chainId: '0x1' }))
  const { message } = signed(accounts)
  expect(parseSiwxMessage(message)).toMatchObject({
    message: {
      ...fields,
      nonce,
      chainId: 'eip155:1',
    },
  })
  const withScheme = await ask(signIn({ scheme: 'https' }))
  expect(withScheme.accounts[0]?.capabilities.signInWithEthereum?.message).toMatch(
    /^https:\/\/shop\.example:8443 wants you to sign in/,
  )
})

test('behavior: it opens the modal if no wallet is connected, and signs in after connecting', async () => {
  const { app, ask, codeOf } = await open({ isConnected: false })
  const answer = ask(signIn())
  const opened = () => app.store.getState().modal.history.map(({ name }) => name)
  await expect.poll(opened).toEqual(['Connect'])
  await connect(app, { connectorId: 'a.b' })
  expect((await answer).accounts[0]?.capabilities.signInWithEthereum).toBeDefined()
  const other = await open({ isConnected: false })
  const closed = other.codeOf({ version: '1' })
  await expect.poll(() => other.app.store.getState().modal.open).toBe(true)
  forceCloseModal(other.app)
  expect(await closed).toMatchObject([4001, expect.any(String)])
  expect(await codeOf({ version: '1' })).toBe('answered')
})

test('error: invalid fields are named before the user sees a prompt', async () => {
  const { app, codeOf, signs } = await open({ isConnected: false })
  for (const [params, field] of [
    [{ version: '2' }, 'version'],
    ['x', 'params'],
    [signIn({ nonce: undefined }), 'capabilities.signInWithEthereum.nonce'],
    [signIn({ nonce: 'short' }), 'nonce'],
    [signIn({ chainId: '31337' }), 'chainId'],
    [signIn({ chainId: '0xzz' }), 'chainId'],
    [signIn({ version: '2' }), 'version'],
    [signIn({ statement: 'one\ntwo' }), 'statement'],
    [signIn({ domain: 'evil.example wants' }), 'domain'],
    [signIn({ scheme: 'https://evil.example\n' }), 'scheme'],
    [signIn({ issuedAt: 'today' }), 'issuedAt'],
  ] as const)
    expect(await codeOf(params)).toEqual([-32602, expect.stringContaining(field)])
  expect(await codeOf({ version: '1', capabilities: { teleport: {} } })).toEqual([
    5700,
    expect.stringContaining('teleport'),
  ])
  expect(app.store.getState().modal.open).toBe(false)
  expect(signs()).toBe(0)
})

test('behavior: a capability that is optional may be missing', async () => {
  const { codeOf } = await open()
  const capabilities = { teleport: { optional: true } }
  expect(await codeOf({ version: '1', capabilities })).toBe('answered')
})

test('error: the user declines to sign, or changes the account meanwhile', async () => {
  const { wallet, codeOf } = await open()
  const { personal_sign } = wallet.answers
  wallet.answers.personal_sign = () => Promise.reject(rpcError(4001, 'no'))
  expect(await codeOf(signIn())).toMatchObject([4001, expect.any(String)])
  wallet.answers.personal_sign = async (params) => {
    wallet.emit('accountsChanged', [bob])
    return personal_sign?.(params)
  }
  expect(await codeOf(signIn())).not.toBe('answered')
})
