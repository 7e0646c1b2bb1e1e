import fc from 'fast-check'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { alice, bob, createFakeWallet } from '../../test/fakeWallet.ts'
import { createWindow } from '../../test/page.ts'
import { openApp } from '../../test/tab.ts'
import { getWallets } from '../directory/getWallets.ts'
import { connect } from './connect.ts'
import { cleanName } from './connectors/cleanWalletInfo.ts'
import { dedupe, isSameInstalledWallet } from './connectors/dedupe.ts'
import { request } from './requests/request.ts'

const icon = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>'
const detail = (info: object = {}, provider: unknown = createFakeWallet()) => ({
  info: { uuid: 'u', name: 'Wallet', rdns: 'com.wallet', icon, ...info },
  provider,
})

/** The connector that an announcement adds, if any. */
function discoverAnnounced(value: unknown) {
  const page = createWindow()
  vi.stubGlobal('window', page)
  const app = openApp()
  page.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: value }))
  const [info] = app.store.getState().connectors
  app.destroy()
  return info
}

describe('in a page', () => {
  let page: EventTarget
  beforeEach(() => {
    page = createWindow()
    vi.stubGlobal('window', page)
  })

  const announce = (value: unknown) =>
    page.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: value }))
  const names = (app: ReturnType<typeof openApp>) =>
    app.store.getState().connectors.map(({ name }) => name)

  test('default', async () => {
    page.addEventListener('eip6963:requestProvider', () => announce(detail()))
    const app = openApp()
    expect(app.store.getState().connectors).toEqual([
      {
        id: 'com.wallet',
        kind: 'announced',
        name: 'Wallet',
        iconUrl: icon,
        rdns: 'com.wallet',
        namespaces: ['eip155'],
      },
    ])
    expect((await connect(app, { connectorId: 'com.wallet' })).status).toBe('connected')
    app.destroy()
  })

  test('behavior: a wallet that the directory lists by its rdns gets its picture’s id, in either order', async () => {
    const wallet = { id: 'a'.repeat(64), name: 'Alder', image_id: 'one', chains: ['eip155:1'] }
    const data = [
      { ...wallet, rdns: 'com.Alder' },
      { ...wallet, id: 'b'.repeat(64), name: 'Birch', image_id: 'two', rdns: 'com.birch' },
    ]
    const app = openApp({ fetch: async () => Response.json({ count: 2, data }) })
    announce(detail({ name: 'Alder wallet', rdns: 'com.alder' }))
    announce(detail({ uuid: 'other', name: 'Birch', rdns: 'com.elsewhere' }))
    const imageIds = () => app.store.getState().connectors.map(({ imageId }) => imageId)
    expect(imageIds()).toEqual([undefined, undefined])
    await getWallets(app)
    expect(imageIds()).toEqual(['one', undefined])
    announce(detail({ uuid: 'late', name: 'Late', rdns: 'com.birch' }))
    expect(imageIds()).toEqual(['one', undefined, 'two'])
    app.destroy()
  })

  test('behavior: a wallet that announces itself again replaces its provider, also of a connection', async () => {
    const app = openApp()
    const old = createFakeWallet()
    announce(detail({}, old))
    await connect(app, { connectorId: 'com.wallet' })
    const asked = old.calls.length
    const next = createFakeWallet()
    announce(detail({ uuid: 'after the update' }, next))
    expect(names(app)).toEqual(['Wallet'])
    await request(app, { method: 'personal_sign', params: ['0x00', alice] })
    expect(old.calls.length).toBe(asked)
    expect(next.calls.at(-1)?.method).toBe('personal_sign')
    const { connections } = app.store.getState()
    old.emit('accountsChanged', [bob])
    expect(app.store.getState().connections).toBe(connections)
    next.emit('accountsChanged', [bob])
    await expect
      .poll(() => app.store.getState().connections.eip155)
      .toMatchObject({
        account: { address: bob },
      })
    app.destroy()
  })

  test('behavior: wallets that come late, come twice or lie', () => {
    const app = openApp()
    announce(detail())
    announce(detail({ uuid: 'again' }))
    for (const lie of [
      undefined,
      null,
      7,
      {},
      { info: null },
      detail({}, null),
      detail({ name: '' }),
    ])
      announce(lie)
    announce(detail({ name: 'Other', rdns: 'com.other' }))
    expect(names(app)).toEqual(['Wallet', 'Other'])
    app.destroy()
    announce(detail({ name: 'Late', rdns: 'com.late' }))
    expect(names(app)).toEqual(['Wallet', 'Other'])
  })

  test('behavior: the injected wallet is used until one announces itself', () => {
    vi.stubGlobal('ethereum', createFakeWallet())
    const app = openApp()
    expect(names(app)).toEqual(['Browser Wallet'])
    announce(detail())
    expect(names(app)).toEqual(['Wallet'])
    expect(app.connectors.has('injected')).toBe(true)
    app.destroy()
  })

  test('behavior: an injected wallet may come late', () => {
    const app = openApp()
    expect(names(app)).toEqual([])
    vi.stubGlobal('ethereum', createFakeWallet())
    page.dispatchEvent(new Event('ethereum#initialized'))
    expect(names(app)).toEqual(['Browser Wallet'])
    app.destroy()
  })

  test('param: wallets.eip6963, wallets.injected', () => {
    vi.stubGlobal('ethereum', createFakeWallet())
    const app = openApp({}, { wallets: { eip6963: false, injected: false } })
    announce(detail())
    expect(names(app)).toEqual([])
    app.destroy()
  })
})

test('behavior: on a server there is nothing to discover and nothing breaks', () => {
  const app = openApp()
  expect(app.store.getState().connectors).toEqual([])
  app.destroy()
})

test.each([
  ['javascript:alert(1)'],
  ['https://evil.example/i.png'],
  ['data:text/html,<script>alert(1)</script>'],
  ['data:image/svg'],
  [`data:image/png;base64,${'A'.repeat(600_000)}`],
  [7],
])('behavior: the icon %.30j is left out', (value) => {
  const info = discoverAnnounced(detail({ icon: value }))
  expect(info?.id).toBe('com.wallet')
  expect(info).not.toHaveProperty('iconUrl')
})

test('behavior: a name cannot hide or reorder what stands around it', () => {
  expect(cleanName('\u202eksaMateM\u202c \u200b\n\u0007X')).toBe('ksaMateM X')
  expect(cleanName('  \u2066  ')).toBe('')
  expect(cleanName('a'.repeat(500)).length).toBe(40)
  expect(cleanName('<b>Bold</b>')).toBe('<b>Bold</b>')
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (name) => {
      expect(cleanName(name)).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
      expect([...cleanName(name)].length).toBeLessThanOrEqual(40)
    }),
  )
})

test('behavior: without a valid rdns a wallet goes by its name', () => {
  expect(discoverAnnounced(detail({ rdns: '<script>' }))?.id).toBe('announced:Wallet')
  expect(discoverAnnounced(detail({ rdns: 'COM.Wallet' }))?.id).toBe('com.wallet')
})

test('behavior: a wallet whose fields throw is passed over', () => {
  const trap = new Proxy(
    {},
    {
      get() {
        throw new Error('gotcha')
      },
    },
  )
  expect(discoverAnnounced(trap)).toBeUndefined()
  expect(discoverAnnounced({ info: trap, provider: createFakeWallet() })).toBeUndefined()
  expect(discoverAnnounced(detail({}, trap))).toBeUndefined()
})

test('behavior: one wallet once: by rdns, then directory id, then name', () => {
  const info = (id: string, marks: object) => ({
    id,
    kind: 'announced' as const,
    name: id,
    namespaces: ['eip155'] as const,
    ...marks,
  })
  const kept = dedupe([
    info('1', { rdns: 'io.a', name: 'A' }),
    info('2', { rdns: 'IO.A', name: 'Different' }),
    info('3', { rdns: 'io.b', name: 'A' }),
    info('4', { walletId: 'w', name: 'C' }),
    info('5', { walletId: 'w', name: 'D' }),
    info('6', { name: ' a ' }),
    info('7', { name: 'E' }),
  ])
  expect(kept.map(({ id }) => id)).toEqual(['1', '3', '4', '7'])
  expect(isSameInstalledWallet({ name: 'A', rdns: 'x.y' }, { name: 'a' })).toBe(true)
})
