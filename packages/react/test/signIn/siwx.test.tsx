import { connect, disconnect, openModal, type SiweConfig, type SiwxConfig } from '@latchkey/core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { ConnectButton, LatchkeyProvider, useSession } from '../../src/index.ts'
import '../../src/theme.css'
import { refuse } from '../fakes/fakeWallet.ts'
import { alice, announce, createFakeWallet, type FakeWallet, testApp } from '../testApp.ts'
import { violations } from '../violations.ts'
import { findButton, watchPlace } from '../watch/watchPlace.ts'

let wallet: FakeWallet
let silence: () => void
beforeEach(() => {
  wallet = createFakeWallet()
  wallet.answers.personal_sign = () => `0x${'ab'.repeat(65)}`
  silence = announce([{ name: 'Fieldwork', wallet }])
})
afterEach(() => silence())

const time = new Date(Date.UTC(2026, 0, 1)).toISOString()
const session = {
  ...{ id: 'one', chainId: 'eip155:31337', accountAddress: alice },
  ...{ origin: location.origin, createdAt: time, expiresAt: time },
}

/** A server's responses to sign-ins; `nonce` and `verify` replace its own. */
const answers =
  ({
    nonce,
    verify,
    list,
  }: {
    nonce?: () => unknown
    verify?: () => unknown
    list?: (path: string) => unknown
  } = {}) =>
  ({ pathname }: URL) => {
    if (pathname === '/v1/siwx/nonce')
      return nonce?.() ?? { nonce: 'nonce0001', issuedAt: time, expiresAt: time }
    if (pathname === '/v1/siwx/verify') return verify?.() ?? { session, token: 'token' }
    if (pathname === '/v1/siwx/session') return { session }
    const more = list?.(pathname)
    if (more) return more
    return pathname === '/v1/siwx/sign-out' ? { status: 'SUCCESS' } : undefined
  }

function Session() {
  const { status, session, signIn, signOut } = useSession()
  return (
    <>
      <output aria-label="Session">
        {status} {session?.token}
      </output>
      <button type="button" onClick={signIn}>
        Enter
      </button>
      <button type="button" onClick={() => signOut()}>
        Leave
      </button>
    </>
  )
}

async function show(siwx: SiwxConfig = {}, parameters: Parameters<typeof answers>[0] = {}) {
  const app = testApp(
    { signIn: siwx, metadata: { name: 'The Shop' } },
    { other: answers(parameters) },
    { page: window },
  )
  await render(
    <LatchkeyProvider app={app}>
      <ConnectButton />
      <Session />
    </LatchkeyProvider>,
  )
  await connect(app, { connectorId: app.store.getState().connectors[0]?.id ?? '' })
  return app
}

const dialog = () => page.getByRole('dialog')
const button = (name: string) => dialog().getByRole('button', { name, exact: true })
const state = () => page.getByLabelText('Session')
const shown = () => expect.element(dialog().getByRole('heading', { name: 'Sign in', exact: true }))

describe('SIWXSignMessage', () => {
  test('default: shows who asks and the message, and signs in', async () => {
    const app = await show({ statement: 'Welcome to the shop' })
    await shown().toBeVisible()
    await expect.element(dialog().getByText('Prove to The Shop that this')).toBeVisible()
    await expect.element(dialog().getByText('your wallet is disconnected')).toBeVisible()
    await expect.element(state()).toHaveTextContent('signedOut')
    await dialog().getByText('Message', { exact: true }).click()
    await expect.element(dialog().getByText('Welcome to the shop')).toBeVisible()
    expect(await violations()).toEqual([])
    await button('Sign in').click()
    await expect.element(state()).toHaveTextContent('signedIn token')
    await expect.element(dialog()).not.toBeInTheDocument()
    const asked = wallet.calls.filter(({ method }) => method === 'personal_sign')
    expect(asked).toHaveLength(1)
    await disconnect(app)
    await expect.element(state()).toHaveTextContent('signedOut')
  })

  test('behavior: nothing moves when the message is there', async () => {
    let answer = (_: unknown) => {}
    const nonce = new Promise((resolve) => {
      answer = resolve
    })
    const stop = watchPlace(() => findButton('Cancel'))
    await show({}, { nonce: () => nonce })
    await shown().toBeVisible()
    await expect.element(button('Sign in')).toHaveAttribute('aria-busy')
    answer({ nonce: 'nonce0001', issuedAt: time, expiresAt: time })
    await expect.element(button('Sign in')).not.toHaveAttribute('aria-busy')
    expect(stop()).toHaveLength(1)
  })

  test('behavior: it does not close while it is required, and canceling disconnects', async () => {
    const app = await show()
    await shown().toBeVisible()
    await expect.element(button('Sign in')).toBeVisible()
    expect(button('Close').query()).toBeNull()
    await userEvent.keyboard('{Escape}')
    expect(app.store.getState().modal).toMatchObject({ open: true, shakes: 1 })
    await button('Cancel').click()
    await expect.element(dialog()).not.toBeInTheDocument()
    expect(app.store.getState().connections.eip155.status).toBe('disconnected')
  })

  test('behavior: it closes if it is optional; the page can prompt again, and sign out', async () => {
    const app = await show({ required: false })
    await shown().toBeVisible()
    await expect.element(dialog().getByText('your wallet is disconnected')).not.toBeInTheDocument()
    await button('Cancel').click()
    await expect.element(dialog()).not.toBeInTheDocument()
    expect(app.store.getState().connections.eip155.status).toBe('connected')
    await page.getByRole('button', { name: 'Enter' }).click()
    await button('Sign in').click()
    await expect.element(state()).toHaveTextContent('signedIn')
    await page.getByRole('button', { name: 'Leave' }).click()
    await expect.element(state()).toHaveTextContent('signedOut')
    expect(app.store.getState().modal.open).toBe(false)
  })

  test('behavior: without an account, the page that asks opens the list of wallets, and the question follows', async () => {
    const app = await show({ required: false })
    await disconnect(app)
    await expect.element(dialog()).not.toBeInTheDocument()
    await page.getByRole('button', { name: 'Enter' }).click()
    await dialog()
      .getByRole('button', { name: /^Fieldwork/ })
      .click()
    await expect.element(dialog().getByText('The Shop')).toBeVisible()
  })

  test('error: a refusal, and a server that refuses; the next attempt has another nonce', async () => {
    let nonces = 0
    let isRefused = true
    const reasons = [{ field: 'nonce', description: 'The nonce has expired. Sign in again' }]
    await show(
      {},
      {
        nonce: () => ({ nonce: `nonce000${++nonces}`, issuedAt: time, expiresAt: time }),
        verify: () => (isRefused ? Response.json({ reasons }, { status: 400 }) : undefined),
      },
    )
    wallet.answers.personal_sign = () => refuse()
    await button('Sign in').click()
    await expect.element(page.getByText('Signature declined')).toBeVisible()
    wallet.answers.personal_sign = () => `0x${'ab'.repeat(65)}`
    await button('Sign in').click()
    await expect.element(page.getByText('The nonce has expired. Sign in again')).toBeVisible()
    isRefused = false
    await button('Sign in').click()
    await expect.element(state()).toHaveTextContent('signedIn')
    expect(nonces).toBe(3)
  })

  test('error: a server that cannot be reached, tried again', async () => {
    let isAway = true
    await show({}, { nonce: () => (isAway ? new Response('', { status: 503 }) : undefined) })
    const alert = dialog().getByRole('alert')
    await expect
      .element(alert)
      .toHaveTextContent('A problem occurred while trying initialize authentication')
    await expect.element(alert).toHaveTextContent(/503|server/i)
    expect(await violations()).toEqual([])
    isAway = false
    await button('Try again').click()
    await expect.element(button('Sign in')).toBeVisible()
  })
})

test('param: siweConfig: ConnectingSiwe asks and signs in by the functions of the app', async () => {
  let signedIn: { address: string; chainId: number } | null = null
  const siweConfig: SiweConfig = {
    getNonce: async () => 'nonce0001',
    createMessage: ({ address, nonce }) => `${address} enters with ${nonce}`,
    verifyMessage: async ({ message }) => {
      signedIn = { address: alice, chainId: 31337 }
      return message.endsWith('enters with nonce0001')
    },
    getSession: async () => signedIn,
    signOut: async () => true,
  }
  const app = testApp(
    { metadata: { name: 'The Shop' }, signIn: { siwe: siweConfig } },
    {},
    { page: window },
  )
  await render(
    <LatchkeyProvider app={app}>
      <ConnectButton />
      <Session />
    </LatchkeyProvider>,
  )
  await connect(app, { connectorId: app.store.getState().connectors[0]?.id ?? '' })
  await shown().toBeVisible()
  expect(app.store.getState().modal.history.at(-1)).toMatchObject({ name: 'ConnectingSiwe' })
  await dialog().getByText('Message', { exact: true }).click()
  await expect.element(dialog().getByText('enters with nonce0001')).toBeVisible()
  expect(await violations()).toEqual([])
  await button('Sign in').click()
  await expect.element(state()).toHaveTextContent('signedIn')
  await expect.element(dialog()).not.toBeInTheDocument()
})

describe('SignIns', () => {
  const elsewhere = (id: string, host: string) => ({ ...session, id, origin: `https://${host}` })

  async function showList(list: (path: string) => unknown) {
    const app = await show({ required: false }, { list })
    await button('Sign in').click()
    await expect.element(state()).toHaveTextContent('signedIn')
    openModal(app)
    await button('Sign-ins').click()
    return app
  }

  test('default: lists the account’s sign-ins, and signs out everywhere else', async () => {
    let sessions = [session, elsewhere('two', 'blog.example'), elsewhere('three', 'old.example')]
    const ended: string[] = []
    const app = await showList((path) => {
      if (path === '/v1/siwx/sessions') return { sessions }
      if (path !== '/v1/siwx/revoke') return undefined
      const gone = sessions.find(({ id }) => id !== 'one' && !ended.includes(id))
      if (gone) ended.push(gone.id)
      if (ended.length === 2) sessions = [session]
      return { status: 'SUCCESS' }
    })
    const list = dialog().getByRole('list', { name: 'Sign-ins' })
    await expect.element(list).toBeVisible()
    expect(list.getByRole('listitem').elements()).toHaveLength(3)
    await expect.element(list.getByText('blog.example')).toBeVisible()
    await expect
      .element(list.getByRole('listitem').filter({ hasText: 'This browser' }))
      .toHaveTextContent(location.host)
    expect(await violations()).toEqual([])
    await button('Sign out everywhere else').click()
    await expect.element(page.getByText('Signed out', { exact: true })).toBeVisible()
    await expect.element(list.getByText('blog.example')).not.toBeInTheDocument()
    expect(ended.sort()).toEqual(['three', 'two'])
    await list.getByRole('button', { name: /^Sign out of/ }).click()
    await expect.element(state()).toHaveTextContent('signedOut')
    await expect.element(dialog().getByText('You are signed out')).toBeVisible()
    expect(app.store.getState().connections.eip155.status).toBe('connected')
  })

  test('param: keep: cookie: the list is there without a token too', async () => {
    const list = (path: string) =>
      path === '/v1/siwx/sessions' ? { sessions: [session] } : undefined
    const verify = () => ({ session, csrfToken: 'csrf' })
    const app = await show({ required: false, keep: 'cookie' }, { list, verify })
    await button('Sign in').click()
    await expect.element(state()).toHaveTextContent(/^signedIn$/)
    openModal(app)
    await button('Sign-ins').click()
    await expect.element(dialog().getByRole('listitem')).toHaveTextContent('This browser')
  })

  test('error: a list that does not load, and a sign-out that fails', async () => {
    let isAway = true
    await showList((path) => {
      if (path === '/v1/siwx/revoke') return new Response('', { status: 503 })
      if (path !== '/v1/siwx/sessions') return undefined
      return isAway
        ? new Response('', { status: 503 })
        : { sessions: [session, elsewhere('two', 'blog.example')] }
    })
    await expect.element(dialog().getByRole('alert')).toHaveTextContent('could not be loaded')
    expect(await violations()).toEqual([])
    isAway = false
    await button('Try again').click()
    await dialog()
      .getByRole('button', { name: /^Sign out of blog/ })
      .click()
    await expect.element(page.getByText('Could not sign out')).toBeVisible()
    await expect.element(dialog().getByText('blog.example')).toBeVisible()
  })
})
