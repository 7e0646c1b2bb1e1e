import { beforeEach, describe, expect, test, vi } from 'vitest'
import { alice, createFakeWallet } from '../../../../test/fakeWallet.ts'
import { createWindow } from '../../../../test/page.ts'
import { createBrowser, openApp, settle } from '../../../../test/tab.ts'
import { connect } from '../../../connection/connect.ts'
import { disconnect } from '../../../connection/disconnect.ts'
import { request } from '../../../connection/requests/request.ts'
import { type ExternalParameters, external } from './external.ts'

const vault = (parameters: Partial<ExternalParameters> = {}) =>
  external({ id: 'vault', name: 'Vault', getProvider: createFakeWallet, ...parameters })

describe('external', () => {
  test('default', async () => {
    const wallet = createFakeWallet()
    const getProvider = vi.fn(async () => wallet)
    const app = openApp({}, { wallets: { connectors: [vault({ getProvider })] } })
    expect(app.store.getState().connectors).toEqual([
      {
        ...{ id: 'vault', kind: 'external', name: 'Vault', namespaces: ['eip155'] },
        traits: { isExternal: true, reconnectsSavedOnly: true },
      },
    ])
    expect(getProvider).not.toHaveBeenCalled()
    const { account } = await connect(app, { connectorId: 'vault' })
    expect(account.address).toBe(alice)
    expect(await request(app, { method: 'personal_sign', params: ['0x00', alice] })).toMatch(
      /^0x(ab)+$/,
    )
    expect(getProvider).toHaveBeenCalledTimes(1)
    app.destroy()
  })

  test('behavior: reconnects without a prompt, and only after an earlier connection', async () => {
    const browser = createBrowser()
    const wallet = createFakeWallet()
    const getProvider = vi.fn(() => wallet)
    const config = { wallets: { connectors: [vault({ getProvider })] } }
    const first = openApp(browser.openTab(), config)
    await connect(first, { connectorId: 'vault' })
    first.destroy()
    wallet.calls.length = 0
    const second = openApp(browser.openTab(), config)
    await expect.poll(() => second.store.getState().connections.eip155.status).toBe('connected')
    expect(wallet.calls.map(({ method }) => method)).not.toContain('eth_requestAccounts')
    await disconnect(second)
    second.destroy()
    const asked = getProvider.mock.calls.length
    const third = openApp(browser.openTab(), config)
    await settle()
    expect(getProvider).toHaveBeenCalledTimes(asked)
    third.destroy()
  })

  test('error: a wallet that declines, a value that is not a provider, and a wallet that cannot be created', async () => {
    const declining = createFakeWallet()
    declining.answers.eth_requestAccounts = () => {
      throw Object.assign(new Error('No'), { code: 4001 })
    }
    const fail = async (getProvider: () => unknown) => {
      const app = openApp({}, { wallets: { connectors: [vault({ getProvider })] } })
      const error = await connect(app, { connectorId: 'vault' }).catch((cause) => cause)
      expect(app.store.getState().connections.eip155.status).toBe('disconnected')
      app.destroy()
      return error.code
    }
    expect(await fail(() => declining)).toBe('USER_REJECTED')
    expect(await fail(() => ({}))).toBe('CONNECTOR_NOT_FOUND')
    expect(
      await fail(() => {
        throw new Error('Broken')
      }),
    ).toBe('INTERNAL')
  })

  test('behavior: a provider that could not be made is made again at the next try', async () => {
    const getProvider = vi
      .fn<() => unknown>(createFakeWallet)
      .mockRejectedValueOnce(new Error('Offline'))
    const app = openApp({}, { wallets: { connectors: [vault({ getProvider })] } })
    await expect(connect(app, { connectorId: 'vault' })).rejects.toThrow()
    expect((await connect(app, { connectorId: 'vault' })).status).toBe('connected')
    app.destroy()
  })
})

describe('in a page', () => {
  let page: EventTarget
  beforeEach(() => {
    page = createWindow()
    vi.stubGlobal('window', page)
  })

  test('param: rdns: the same wallet in this browser is listed in its place', () => {
    const app = openApp({}, { wallets: { connectors: [vault({ rdns: 'Com.Vault' })] } })
    const list = () => app.store.getState().connectors.map(({ id }) => id)
    expect(list()).toEqual(['vault'])
    const info = { uuid: 'u', name: 'The Vault', rdns: 'com.vault', icon: '' }
    const detail = { info, provider: createFakeWallet() }
    page.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
    expect(list()).toEqual(['com.vault'])
    app.destroy()
  })
})
