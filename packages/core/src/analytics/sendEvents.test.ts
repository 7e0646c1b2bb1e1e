import type { AnalyticsEvent } from '@latchkey/wire'
import { describe, expect, test, vi } from 'vitest'
import { createFakeWallet, rpcError } from '../../test/fakeWallet.ts'
import { createPage } from '../../test/page.ts'
import { createBrowser, openApp, settle } from '../../test/tab.ts'
import type { Config } from '../app.ts'
import { connect } from '../connection/connect.ts'
import { disconnect } from '../connection/disconnect.ts'
import { external } from '../namespaces/eip155/connector/external.ts'
import { countEvent } from './countEvent.ts'

function open({
  isEnabled = true,
  config = {},
  wallet = createFakeWallet(),
  privacy = {},
}: {
  privacy?: object
  isEnabled?: boolean
  config?: Partial<Config>
  wallet?: ReturnType<typeof createFakeWallet>
} = {}) {
  const sent: { url: string; events: AnalyticsEvent[] }[] = []
  const waits: (() => void)[] = []
  const page = createPage()
  const sendBeacon = vi.fn((url: string, body: string) => {
    sent.push({ url, events: JSON.parse(body) })
    return true
  })
  const fetch = vi.fn(async (_url: string | URL | Request) =>
    Response.json({ isAnalyticsEnabled: isEnabled }),
  )
  const vault = external({ id: 'vault', name: 'Vault', getProvider: () => wallet })
  const app = openApp(
    {
      page: Object.assign(page, { navigator: { ...page.navigator, ...privacy, sendBeacon } }),
      fetch,
      ...createBrowser().openTab(),
      sleep: () => new Promise((done) => waits.push(done)),
    },
    { ...config, wallets: { connectors: [vault], ...config?.wallets } },
  )
  const names = () => sent.flatMap(({ events }) => events.map(({ props }) => props.event))
  const leave = () => page.dispatchEvent(new Event('pagehide'))
  return {
    app,
    sent,
    names,
    fetch,
    leave,
    page,
    pass: () => waits.splice(0).map((go) => go()),
  }
}

describe('sendEvents', () => {
  test('default: counted together, when the page is left or after ten seconds', async () => {
    const { app, sent, fetch, leave } = open()
    expect(fetch).not.toHaveBeenCalled()
    await connect(app, { connectorId: 'vault' })
    await settle()
    await disconnect(app)
    await settle()
    expect(sent).toEqual([])
    leave()
    expect(fetch).toHaveBeenCalledTimes(1)
    expect(String(fetch.mock.calls[0]?.[0])).toContain('/getAnalyticsConfig?projectId=local')
    expect(sent.map(({ url }) => url)).toEqual([
      expect.stringMatching(/^http:\/\/127\.0\.0\.1:1\/batch\?projectId=local&/),
    ])
    expect(sent[0]?.events.map(({ props }) => props)).toEqual([
      { type: 'track', event: 'INITIALIZE' },
      { type: 'track', event: 'CONNECT_SUCCESS', properties: { method: 'external' } },
      { type: 'track', event: 'DISCONNECT_SUCCESS' },
    ])
    expect(JSON.stringify(sent)).not.toMatch(/0xf39/i)
    leave()
    expect(sent).toHaveLength(1)
    app.destroy()
  })

  test('param: analytics: true: INITIALIZE two seconds after the start, in one batch with what follows', async () => {
    const { app, names, fetch, leave, pass } = open({ config: { analytics: true } })
    await settle()
    expect(fetch).not.toHaveBeenCalled()
    pass()
    await settle()
    expect(fetch).toHaveBeenCalledTimes(1)
    await connect(app, { connectorId: 'vault' })
    await settle()
    leave()
    expect(names()).toEqual(['INITIALIZE', 'CONNECT_SUCCESS'])
    app.destroy()
    const off = open({ isEnabled: false, config: { analytics: true } })
    await settle()
    off.pass()
    await settle()
    off.leave()
    expect(off.fetch).toHaveBeenCalledTimes(1)
    expect(off.sent).toEqual([])
    off.app.destroy()
  })

  test.each([{ doNotTrack: '1' }, { globalPrivacyControl: true }])(
    'param: analytics: true: a browser with %j sends nothing for a mere visit',
    async (privacy) => {
      const { app, fetch, leave, pass } = open({
        config: { analytics: true },
        privacy,
      })
      await settle()
      pass()
      await settle()
      leave()
      expect(fetch).not.toHaveBeenCalled()
      app.destroy()
    },
  )

  test('behavior: sent while the page is hidden, and after a wait', async () => {
    const { app, names, page, pass } = open()
    countEvent(app, { event: 'DISCONNECT_SUCCESS' })
    await settle()
    pass()
    await settle()
    expect(names()).toEqual(['INITIALIZE', 'DISCONNECT_SUCCESS'])
    countEvent(app, { event: 'DISCONNECT_ERROR' })
    await settle()
    page.visibilityState = 'hidden'
    page.dispatchEvent(new Event('visibilitychange'))
    expect(names().at(-1)).toBe('DISCONNECT_ERROR')
    app.destroy()
  })

  test('behavior: what fails is counted by its code alone, and a refusal is no fault', async () => {
    const wallet = createFakeWallet()
    const { app, sent, names, leave } = open({ wallet })
    wallet.answers.eth_requestAccounts = () => {
      throw rpcError(4001, 'No')
    }
    await connect(app, { connectorId: 'vault' }).catch(() => {})
    await settle()
    leave()
    expect(sent).toEqual([])
    const broken = open({
      config: {
        wallets: {
          connectors: [
            external({
              ...{ id: 'vault', name: 'Vault' },
              getProvider: () => Promise.reject(new Error('secret')),
            }),
          ],
        },
      },
    })
    await connect(broken.app, { connectorId: 'vault' }).catch(() => {})
    await settle()
    broken.leave()
    expect(broken.names()).toEqual(['INITIALIZE', 'INTERNAL_SDK_ERROR'])
    expect(JSON.stringify(broken.sent)).not.toContain('secret')
    expect(names()).toEqual([])
    app.destroy()
    broken.app.destroy()
  })

  test('behavior: a disconnect that did not reach the wallet is counted as failed', async () => {
    const { app, names, leave } = open()
    await connect(app, { connectorId: 'vault' })
    const connector = app.connectors.get('vault')
    if (!connector) throw new Error('No connector')
    app.connectors.set('vault', {
      ...connector,
      disconnect: () => Promise.reject(new Error('gone')),
    })
    await expect(disconnect(app)).rejects.toMatchObject({ code: 'DISCONNECT_FAILED' })
    await settle()
    leave()
    expect(names()).toEqual(['INITIALIZE', 'CONNECT_SUCCESS', 'DISCONNECT_ERROR'])
    app.destroy()
  })

  test('behavior: a fault that repeats itself is counted at most fifty times', async () => {
    const { app, names, leave } = open()
    for (let count = 0; count < 500; count++) countEvent(app, { event: 'DISCONNECT_ERROR' })
    await settle()
    leave()
    expect(names()).toHaveLength(50)
    app.destroy()
  })

  test('param: analytics false: the server is not even asked', async () => {
    const { app, sent, fetch, leave } = open({ config: { analytics: false } })
    await connect(app, { connectorId: 'vault' })
    await settle()
    leave()
    expect(fetch).not.toHaveBeenCalled()
    expect(sent).toEqual([])
    app.destroy()
  })

  test('behavior: sends nothing if the server collects nothing or is unreachable, or the app has ended', async () => {
    const off = open({ isEnabled: false })
    await connect(off.app, { connectorId: 'vault' })
    await settle()
    off.leave()
    expect(off.sent).toEqual([])
    expect(off.fetch).toHaveBeenCalledTimes(1)
    const offline = open()
    offline.fetch.mockRejectedValue(new TypeError('Offline'))
    countEvent(offline.app, { event: 'DISCONNECT_SUCCESS' })
    await settle()
    offline.leave()
    expect(offline.sent).toEqual([])
    const ended = open()
    countEvent(ended.app, { event: 'DISCONNECT_SUCCESS' })
    await settle()
    ended.app.destroy()
    ended.leave()
    expect(ended.sent).toEqual([])
    off.app.destroy()
    offline.app.destroy()
  })
})
