import {
  type App,
  latchkeyOne,
  searchWallets,
  selectNamespace,
  solana,
} from '@latchkey/core/internal'
import type { DirectoryWallet } from '@latchkey/wire'
import { afterEach, describe, expect, test } from 'vitest'
import { createFakePairing } from '../../../test/fakes/fakePairing.ts'
import { registerSolana } from '../../../test/fakes/fakeStandardWallet.ts'
import { announce, createFakeWallet, phonePage, testApp } from '../../../test/testApp.ts'
import { chooseWallet, getConnectionMethods } from './connectionMethods.ts'

const wallet = (links: Partial<DirectoryWallet>): DirectoryWallet => ({
  id: 'a'.repeat(64),
  name: 'Alder',
  image_id: '',
  chains: ['eip155:1'],
  ...links,
})

const everywhere = wallet({
  mobile_link: 'alder://',
  webapp_link: 'https://alder.example',
  desktop_link: 'alder-desktop://',
  chrome_store: 'https://store.example/alder',
  rdns: 'example.alder',
})

let app: App
let silence = () => {}

const here = () => {
  app = testApp({}, {}, { pairing: createFakePairing() })
  return app
}
const onPhone = () => {
  app = testApp({}, {}, { pairing: createFakePairing(), page: phonePage() })
  return app
}

afterEach(() => {
  silence()
  silence = () => {}
  app.destroy()
})

const secure = (page: ReturnType<typeof phonePage>) => ({
  ...page,
  location: { ...location, href: 'https://app.example/', assign: () => {} },
})
const desktopPage = () => ({
  ...phonePage(),
  navigator: { userAgent: 'Mozilla/5.0 (X11; Linux x86_64)', maxTouchPoints: 0 },
})

describe('getConnectionMethods without a relay for phones', () => {
  const methods = (
    config: Parameters<typeof testApp>[0],
    links: Partial<DirectoryWallet>,
    page: ReturnType<typeof phonePage>,
  ) => {
    app = testApp(config, {}, { pairing: createFakePairing(), page })
    return getConnectionMethods(app, wallet(links))
  }
  const dapp = { mobile_link: 'alder://', dapp_link: 'alder://open/{page}' }
  const ownRelay = { wallets: { walletConnect: {} } }

  test("default: the server's own relay", () => {
    expect(methods(ownRelay, dapp, secure(phonePage()))).toEqual(['page'])
    app.destroy()
    expect(methods(ownRelay, dapp, secure(desktopPage()))).toEqual(['pageCode'])
  })

  test('behavior: a phone wallet without such a link is reached only if there is a relay', () => {
    const phoneOnly = { mobile_link: 'alder://', webapp_link: 'https://alder.example' }
    expect(methods(ownRelay, phoneOnly, secure(phonePage()))).toEqual([])
    app.destroy()
    expect(methods({}, phoneOnly, secure(phonePage()))).toEqual(['phone', 'webapp'])
  })

  test('behavior: no code for a page that no phone can open', () => {
    expect(methods(ownRelay, dapp, desktopPage())).toEqual([])
    app.destroy()
    expect(methods({}, { mobile_link: 'https://phantom.app/ul' }, desktopPage())).toEqual([])
    app.destroy()
    expect(methods({}, { mobile_link: 'https://phantom.app/ul' }, secure(desktopPage()))).toEqual([
      'pageCode',
    ])
  })
})

describe('getConnectionMethods', () => {
  test('default', () => {
    expect(getConnectionMethods(here(), everywhere)).toEqual(['code', 'webapp', 'desktop'])
  })

  test('behavior: on a phone it is opened there', () => {
    expect(getConnectionMethods(onPhone(), everywhere)).toEqual(['phone', 'webapp'])
  })

  test.each<[string, Partial<DirectoryWallet>, string[], string[]]>([
    ['nothing is known of', {}, ['code'], []],
    ['is an extension', { chrome_store: 'https://s.example', rdns: 'a.b' }, [], []],
    ['is in a store of phones', { app_store: 'https://s.example' }, ['code'], []],
    ['takes universal links', { link_mode: 'https://a.example' }, ['code'], ['phone']],
    ['has a link that would run', { webapp_link: 'javascript:alert(1)' }, [], []],
    ['no relay reaches', { mobile_link: 'https://phantom.app/ul' }, [], ['page']],
  ])('param: a wallet that %s', (_, links, expectedHere, expectedOnPhone) => {
    expect(getConnectionMethods(here(), wallet(links))).toEqual(expectedHere)
    app.destroy()
    expect(getConnectionMethods(onPhone(), wallet(links))).toEqual(expectedOnPhone)
  })

  test('behavior: without WalletConnect only a wallet of this browser is left', () => {
    app = testApp()
    expect(getConnectionMethods(app, everywhere)).toEqual([])
  })
})

describe('chooseWallet', () => {
  const top = () => app.store.getState().modal.history.at(-1)

  test('default', () => {
    chooseWallet(here(), everywhere)
    expect(top()).toEqual({ name: 'ConnectingWalletConnect', walletId: everywhere.id })
  })

  test('behavior: without another way, the wallet of this browser gets the request', () => {
    silence = announce([{ name: 'Alder', rdns: 'example.alder', wallet: createFakeWallet() }])
    app = testApp()
    chooseWallet(app, everywhere)
    expect(top()).toMatchObject({ name: 'ConnectingExternal', connectorId: 'example.alder' })
  })

  test('behavior: a wallet of this browser that has other methods too gets the request at once', () => {
    const asked = createFakeWallet()
    silence = announce([{ name: 'Alder', rdns: 'example.alder', wallet: asked }])
    chooseWallet(here(), everywhere)
    expect(top()).toMatchObject({ name: 'ConnectingWalletConnect', request: {} })
    expect(asked.calls.map(({ method }) => method)).toEqual(['eth_requestAccounts'])
  })

  test('behavior: of a wallet with several namespaces, the selected network’s gets the request', async () => {
    const asked = createFakeWallet()
    const stops = [
      announce([{ name: 'Alder', rdns: 'example.alder', wallet: asked }]),
      registerSolana('Alder'),
    ]
    silence = () => {
      for (const stop of stops) stop()
    }
    app = testApp({ networks: [latchkeyOne, solana] }, {}, { pairing: createFakePairing() })
    await searchWallets(app)
    selectNamespace(app, { namespace: 'solana' })
    chooseWallet(app, everywhere)
    expect(top()).toMatchObject({ name: 'ConnectingWalletConnect', request: {} })
    await expect.poll(() => app.store.getState().connections.solana.status).toBe('connected')
    expect(asked.calls.map(({ method }) => method)).not.toContain('eth_requestAccounts')
  })

  test('behavior: a wallet that cannot be reached has to be installed first', () => {
    app = testApp()
    chooseWallet(app, everywhere)
    expect(top()?.name).toBe('Downloads')
  })
})
