import { connect, getIdentity, openModal, resolveName, switchNetwork } from '@latchkey/core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { ConnectButton, LatchkeyProvider } from '../src/index.ts'
import '../src/theme.css'
import { refuse } from './fakes/fakeWallet.ts'
import { alice, announce, bob, createFakeWallet, type FakeWallet, testApp } from './testApp.ts'
import { violations } from './violations.ts'

const carol = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const drawing = `${location.origin}/picture.svg`

let wallet: FakeWallet
let silence: () => void
beforeEach(() => {
  wallet = createFakeWallet()
  silence = announce([{ name: 'Fieldwork', wallet }])
})
afterEach(() => silence())

/** A server's answers about names: `names` by name, `identities` by address. */
type Known = {
  names?: Record<string, string | null | (() => unknown)>
  identities?: Record<string, { name: string | null; avatar: string | null }>
  hasNames?: boolean
}

const areas = (on: boolean) => ({ identity: { on, source: 'ens' }, nfts: { on, source: 'rpc' } })

const answersOf =
  ({ names = {}, identities = {}, hasNames = true }: Known) =>
  async (url: URL) => {
    const path = decodeURIComponent(url.pathname)
    if (path === '/v1/supported-chains')
      return {
        http: ['eip155:31337'],
        ws: [],
        features: { 'eip155:31337': areas(hasNames), 'eip155:31338': areas(false) },
      }
    const [, name] = /^\/v1\/identity\/name\/(.+)$/.exec(path) ?? []
    if (name !== undefined) {
      const known = names[name]
      if (typeof known === 'function') return known()
      return { name, address: known ?? null, avatar: null, resolvedAt: null }
    }
    const [, address = ''] = /^\/v1\/identity\/(0x\w+)$/.exec(path) ?? []
    if (address)
      return { resolvedAt: null, ...(identities[address] ?? { name: null, avatar: null }) }
    return undefined
  }

async function show(known: Known) {
  const app = testApp({}, { other: answersOf(known) })
  await render(
    <LatchkeyProvider app={app}>
      <ConnectButton />
    </LatchkeyProvider>,
  )
  await connect(app, { connectorId: app.store.getState().connectors[0]?.id ?? '' })
  return app
}

const readHex = (text: string) =>
  text.slice(2).replace(/../g, (byte) => String.fromCharCode(Number.parseInt(byte, 16)))

const dialog = () => page.getByRole('dialog')
const button = (name: string | RegExp) => dialog().getByRole('button', { name })
const receiver = () => dialog().getByLabelText('To', { exact: true })

describe('name and picture of the account', () => {
  test('default', async () => {
    const app = await show({
      identities: { [alice]: { name: 'alice.latchkey.eth', avatar: null } },
    })
    await expect
      .element(page.getByRole('button', { name: 'Account 0xf3…b92266 alice.latchkey.eth' }))
      .toBeVisible()
    expect(await violations()).toEqual([])
    openModal(app)
    await expect.element(dialog().getByText('alice.latchkey.eth')).toBeVisible()
    expect(await violations()).toEqual([])
  })

  test('behavior: another account has another name', async () => {
    await show({ identities: { [alice]: { name: 'alice.latchkey.eth', avatar: null } } })
    await expect.element(page.getByText('alice.latchkey.eth')).toBeVisible()
    wallet.accounts = [bob]
    wallet.emit('accountsChanged', [bob])
    await expect.element(page.getByRole('button', { name: 'Account 0x70…dc79C8' })).toBeVisible()
    await expect.element(page.getByText('alice.latchkey.eth')).not.toBeInTheDocument()
  })

  test('behavior: a picture of another server is not asked for', async () => {
    await show({
      identities: { [alice]: { name: 'alice.eth', avatar: 'https://elsewhere.example/a.png' } },
    })
    await expect.element(page.getByText('alice.eth')).toBeVisible()
    expect(document.querySelector('button img')).toBeNull()
  })

  test('behavior: a picture that fails leaves the one made from the address', async () => {
    await show({ identities: { [alice]: { name: 'alice.eth', avatar: drawing } } })
    await expect.element(page.getByText('alice.eth')).toBeVisible()
    await expect.poll(() => document.querySelector('button img')).toBeNull()
    expect(document.querySelector('button [data-avatar]')).not.toBeNull()
  })

  test('behavior: sends no request if the network has no names', async () => {
    const app = await show({
      hasNames: false,
      identities: { [alice]: { name: 'alice.eth', avatar: null } },
    })
    await expect.element(page.getByRole('button', { name: 'Account 0xf3…b92266' })).toBeVisible()
    expect(await getIdentity(app, { address: alice, chainId: 'eip155:31337' })).toEqual({})
  })
})

describe('sending to a name', () => {
  const open = async (known: Known) => {
    const app = await show(known)
    openModal(app, { view: { name: 'Send' } })
    await dialog().getByLabelText('Amount').fill('1')
    return app
  }

  test('default', async () => {
    const app = await open({ names: { 'bob.latchkey.eth': bob } })
    await receiver().fill('bob.latchkey.eth')
    await expect.element(dialog().getByText(bob)).toBeVisible()
    expect(await violations()).toEqual([])
    expect(app.store.getState().sendDraft).toMatchObject({
      receiverAddress: bob,
      receiverProfileName: 'bob.latchkey.eth',
    })
    await button('Review').click()
    await expect
      .element(dialog().getByRole('heading', { level: 3 }))
      .toHaveTextContent('Send 1 ETH to bob.latchkey.eth?')
    await expect.element(dialog().getByText(bob)).toBeVisible()
    await button('Send').click()
    await expect.element(dialog().getByText('Transfer complete')).toBeVisible()
    const sent = wallet.calls.find(({ method }) => method === 'eth_sendTransaction')
    expect(sent?.params).toMatchObject([{ to: bob }])
  })

  test('behavior: a name that resolves elsewhere at review is reported, and nothing is sent', async () => {
    const names: Record<string, string> = { 'bob.eth': bob }
    await open({ names })
    await receiver().fill('bob.eth')
    await expect.element(dialog().getByText(bob)).toBeVisible()
    names['bob.eth'] = carol
    await button('Review').click()
    await expect.element(dialog().getByText(bob)).toBeVisible()
    await expect
      .element(dialog().getByText(`bob.eth now belongs to another address: ${carol}.`))
      .toBeVisible()
    await expect.element(button('Send')).not.toBeInTheDocument()
    expect(await violations()).toEqual([])
    await button('Back to the form').click()
    await expect.element(dialog().getByText(carol)).toBeVisible()
    await button('Review').click()
    await expect.element(button('Send')).toBeVisible()
    await expect.element(dialog().getByText(carol)).toBeVisible()
  })

  test('behavior: what was reviewed is sent, wherever the name points meanwhile', async () => {
    const names: Record<string, string> = { 'bob.eth': bob }
    const app = await open({ names })
    await receiver().fill('bob.eth')
    await button('Review').click()
    await expect.element(button('Send')).toBeVisible()
    names['bob.eth'] = carol
    app.storage.remove('names')
    expect((await resolveName(app, { name: 'bob.eth', chainId: 'eip155:31337' })).address).toBe(
      carol,
    )
    await expect.element(dialog().getByText(bob)).toBeVisible()
    await button('Send').click()
    await expect.element(dialog().getByText('Transfer complete')).toBeVisible()
    const sent = wallet.calls.find(({ method }) => method === 'eth_sendTransaction')
    expect(sent?.params).toMatchObject([{ to: bob }])
  })

  test('behavior: the name typed last wins, though the first answers later', async () => {
    let release: (() => void) | undefined
    const slow = () =>
      new Promise((resolve) => {
        release = () =>
          resolve({ name: 'slow.eth', address: carol, avatar: null, resolvedAt: null })
      })
    const app = await open({ names: { 'slow.eth': slow, 'bob.eth': bob } })
    await receiver().fill('slow.eth')
    await expect.element(button('Looking up name…')).toBeVisible()
    await expect.poll(() => release).toBeDefined()
    await receiver().fill('bob.eth')
    await expect.element(dialog().getByText(bob)).toBeVisible()
    release?.()
    await resolveName(app, { name: 'slow.eth', chainId: 'eip155:31337' })
    await expect.element(dialog().getByText(bob)).toBeVisible()
    expect(app.store.getState().sendDraft.receiverAddress).toBe(bob)
  })

  test('behavior: an address after a name is only that address', async () => {
    const app = await open({ names: { 'bob.eth': bob } })
    await receiver().fill('bob.eth')
    await expect.element(dialog().getByText(bob)).toBeVisible()
    await receiver().fill(carol)
    await expect.element(button('Review')).toBeVisible()
    expect(app.store.getState().sendDraft).toMatchObject({
      receiverAddress: carol,
      receiverProfileName: undefined,
    })
  })

  test('behavior: leaving and coming back keeps the name', async () => {
    const app = await open({ names: { 'bob.eth': bob } })
    await receiver().fill('bob.eth')
    await button('Review').click()
    await button('Back').click()
    await expect.element(receiver()).toHaveValue('bob.eth')
    await expect.element(button('Review')).toBeVisible()
    expect(app.store.getState().sendDraft.receiverAddress).toBe(bob)
  })

  test('error: unknown, no name at all, a server that fails', async () => {
    let isDown = true
    let reason = ''
    const refused = () => new Response('', { status: 400 })
    const failing = () =>
      isDown
        ? new Response(reason, { status: 503 })
        : { name: 'late.eth', address: bob, avatar: null, resolvedAt: null }
    await open({ names: { 'b_d.eth': refused, 'late.eth': failing } })
    await receiver().fill('nobody.eth')
    await expect.element(dialog().getByText('No account has the name nobody.eth')).toBeVisible()
    await expect.element(button('Check receiver')).toBeVisible()
    await receiver().fill('b_d.eth')
    await expect.element(dialog().getByText(/This is not a valid name/)).toBeVisible()
    await receiver().fill('late.eth')
    await expect.element(dialog().getByText('Error resolving name')).toBeVisible()
    expect(await violations()).toEqual([])
    reason = '{"reasons":[{"field":"name","description":"The node for names does not answer"}]}'
    await button('Try again').click()
    await expect.element(dialog().getByText('The node for names does not answer')).toBeVisible()
    isDown = false
    await button('Try again').click()
    await expect.element(dialog().getByText(bob)).toBeVisible()
  })

  test('behavior: if the table of the server cannot be loaded, the name is still requested', async () => {
    const known = answersOf({ names: { 'bob.eth': bob } })
    const app = testApp(
      {},
      {
        other: (url) =>
          url.pathname === '/v1/supported-chains' ? new Response('', { status: 503 }) : known(url),
      },
    )
    await render(
      <LatchkeyProvider app={app}>
        <ConnectButton />
      </LatchkeyProvider>,
    )
    await connect(app, { connectorId: app.store.getState().connectors[0]?.id ?? '' })
    openModal(app, { view: { name: 'Send' } })
    await receiver().fill('bob.eth')
    await expect.element(dialog().getByText(bob)).toBeVisible()
  })

  test('behavior: another network empties the form, also behind a review', async () => {
    const app = await open({ names: { 'bob.eth': bob } })
    await receiver().fill('bob.eth')
    await button('Review').click()
    await expect.element(button('Send')).toBeVisible()
    await switchNetwork(app, { chainId: 'eip155:31338' })
    await expect.element(dialog().getByText('The form is not complete')).toBeVisible()
    await button('Back to the form').click()
    await expect.element(receiver()).toHaveValue('')
    expect(wallet.calls.some(({ method }) => method === 'eth_sendTransaction')).toBe(false)
  })

  test('error: a network without names', async () => {
    await open({ hasNames: false })
    await receiver().fill('bob.eth')
    await expect
      .element(dialog().getByText('Latchkey One has no names. Enter an address.'))
      .toBeVisible()
  })

  test('error: an address that does not belong to the chain is ignored', async () => {
    await open({ names: { 'odd.eth': '0x1234' } })
    await receiver().fill('odd.eth')
    await expect.element(dialog().getByText('No account has the name odd.eth')).toBeVisible()
  })
})

describe('registering a name', () => {
  const free = ['alder', 'alder-oak'].map((label) => ({
    name: `${label}.latchkey.id`,
    registered: false,
  }))

  async function open(answers: (url: URL) => unknown) {
    const on = { on: true, source: '' }
    const app = testApp(
      {},
      {
        areas: () => ({
          http: ['eip155:31337'],
          ws: [],
          features: { 'eip155:31337': { names: on, identity: on } },
        }),
        other: (url) =>
          url.pathname === '/v1/profile/zones' ? { zones: ['latchkey.id'] } : answers(url),
      },
    )
    wallet.answers.personal_sign = () => `0x${'ab'.repeat(65)}`
    await render(
      <LatchkeyProvider app={app}>
        <ConnectButton />
      </LatchkeyProvider>,
    )
    await connect(app, { connectorId: app.store.getState().connectors[0]?.id ?? '' })
    return app
  }

  test('error: the reason of the server is shown, and nothing that was typed is lost', async () => {
    let suggestions: unknown = new Response('', { status: 400 })
    const app = await open(({ pathname }) => {
      if (pathname.includes('suggestions')) return suggestions
      const reasons = [{ field: 'name', description: 'The name is taken' }]
      if (pathname === '/v1/profile/account')
        return new Response(JSON.stringify({ status: 'FAILED', reasons }), { status: 400 })
      return undefined
    })
    openModal(app, { view: { name: 'RegisterAccountName' } })
    const field = dialog().getByLabelText('Name', { exact: true })
    await field.fill('alder')
    await expect.element(dialog().getByText('Names could not be looked up')).toBeVisible()
    suggestions = { suggestions: free }
    await button('Try again').click()
    await expect.element(dialog().getByText('alder-oak')).toBeVisible()
    expect(await violations()).toEqual([])
    await button('Register').click()
    await expect.element(dialog().getByText('The name is taken')).toBeVisible()
    await expect.element(field).toHaveValue('alder')
    wallet.answers.personal_sign = () => refuse()
    await button('Register').click()
    await expect.element(dialog().getByText('You declined. Nothing was changed.')).toBeVisible()
  })

  test('default: the account chooses which of its names is shown, and an ENS name stays in front', async () => {
    const names = ['alder.latchkey.id', 'birch.latchkey.id']
    let shown = 'alder.latchkey.id'
    const toRecord = (name: string) => ({
      ...{ name, registered_at: '', updated_at: '', attributes: null },
      addresses: { 60: { address: alice, created_at: null, created: null } },
    })
    const app = await open(({ pathname }) => {
      if (pathname.includes('/v1/identity')) return { name: shown, avatar: null, resolvedAt: null }
      if (pathname.includes('reverse')) return names.map(toRecord)
      const [, chosen] = /account\/([^/]+)\/primary/.exec(pathname) ?? []
      if (chosen === undefined) return undefined
      shown = chosen
      return toRecord(chosen)
    })
    openModal(app, { view: { name: 'Names' } })
    await expect.element(button('alder.latchkey.id Shown as your name')).toBeVisible()
    await button('birch.latchkey.id').click()
    await expect
      .element(dialog().getByRole('heading', { name: 'birch.latchkey.id', exact: true }))
      .toBeVisible()
    expect(await violations()).toEqual([])
    await button('Show as my name').click()
    await expect.element(button('birch.latchkey.id Shown as your name')).toBeVisible()
    expect(wallet.calls.filter(({ method }) => method === 'personal_sign')).toHaveLength(1)
    await button('birch.latchkey.id').click()
    await expect.element(dialog().getByText('This is your name')).toBeVisible()
    await expect.element(button('Show as my name')).not.toBeInTheDocument()
    app.store.setState({ profiles: { [`eip155:31337:${alice}`]: { name: 'alice.eth' } } })
    await expect
      .element(dialog().getByText('Apps show your ENS name alice.eth first.'))
      .toBeVisible()
    expect(await violations()).toEqual([])
  })

  test('default: a name points elsewhere on one network, and goes to an address that was pasted in lower case', async () => {
    const name = 'alder.latchkey.id'
    const addresses = { 60: alice, [2 ** 31 + 31_337]: alice }
    const getRecord = () => ({
      ...{ name, registered_at: '', updated_at: '', attributes: null },
      addresses: Object.fromEntries(
        Object.entries(addresses).map(([coinType, address]) => [
          coinType,
          { address, created_at: null, created: null },
        ]),
      ),
    })
    const app = await open(({ pathname }) => {
      if (pathname.includes('reverse')) return [getRecord()]
      if (pathname.endsWith(`${name}/address`)) {
        addresses[2 ** 31 + 31_337] = bob
        return {}
      }
      return pathname.endsWith(`${name}/transfer`) ? getRecord() : undefined
    })
    const getSigned = () =>
      wallet.calls
        .filter(({ method }) => method === 'personal_sign')
        .map(({ params }) => JSON.parse(readHex((params as string[])[0] ?? '')))
    openModal(app, { view: { name: 'Names' } })
    await button(name).click()
    await expect.element(dialog().getByText('Points to', { exact: true })).toBeVisible()
    await dialog().getByText('Change where it points').click()
    const to = dialog().getByRole('textbox', { name: 'To', exact: true })
    await to.fill(bob.toLowerCase())
    expect(await violations()).toEqual([])
    await button('Use on Latchkey One').click()
    await button(name).click()
    await expect.element(dialog().getByText('On Latchkey One, it points to')).toBeVisible()
    await expect.element(dialog().getByText('On all other networks, it points to')).toBeVisible()
    expect(await violations()).toEqual([])
    await dialog().getByText('Give to another account').click()
    await to.fill(bob.toLowerCase())
    await button(`Give ${name} away`).click()
    await expect.element(dialog().getByText('The name has a new owner')).toBeVisible()
    expect(getSigned()).toMatchObject([
      { action: 'address', coin_type: 2 ** 31 + 31_337, address: bob },
      { action: 'transfer', to: bob },
    ])
  })

  test('error: the names of the account cannot be loaded', async () => {
    let answer: unknown = new Response('', { status: 400 })
    const app = await open(({ pathname }) => (pathname.includes('reverse') ? answer : undefined))
    openModal(app, { view: { name: 'Names' } })
    await expect.element(dialog().getByText('Your names could not be loaded')).toBeVisible()
    answer = []
    await button('Try again').click()
    await expect.element(dialog().getByText('No name registered here yet')).toBeVisible()
    expect(await violations()).toEqual([])
  })
})
