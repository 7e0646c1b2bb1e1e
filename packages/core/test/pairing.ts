import { type RunningServer, startServer } from '@latchkey/server'
import { afterAll, afterEach, beforeAll } from 'vitest'
import type { App, Config, Environment } from '../src/app.ts'
import { connect } from '../src/connection/connect.ts'
import { getPendingConnection } from '../src/connection/getPendingConnection.ts'
import { createPage } from './page.ts'
import { createPhone, type Phone, until, webSocket } from './phone.ts'
import { createBrowser, openApp } from './tab.ts'

let server: RunningServer
/** The resources that a test leaves open; closed after the test. */
export const ends: (() => void)[] = []

/** Starts a relay for a file's tests, and ends what each of them opened. */
export function useRelay(): void {
  beforeAll(async () => {
    server = await startRelay()
  })
  afterAll(() => server.stop())
  afterEach(() => {
    for (const end of ends.splice(0)) end()
  })
}

/** A relay on a free port, or on the port of a stopped relay. */
export const startRelay = (port = '0'): Promise<RunningServer> =>
  startServer({ ROLE: 'relay', HOST: '127.0.0.1', PORT: port, LOG_LEVEL: 'silent' })

export const addressOf = (relay: RunningServer): string => relay.url.replace('http', 'ws')

const relayUrl = () => addressOf(server)
export const connectorId = 'walletConnect'

export const wallet = {
  id: 'ab'.repeat(32),
  name: 'Trust',
  image_id: 'image-1',
  mobile_link: 'trust://',
  rdns: null,
} as const

/** A page of a browser with the connector over the real relay. */
export function openPage(
  browser = createBrowser(),
  environment: Partial<Environment> = {},
  config: Partial<Config> = {},
) {
  const page = createPage()
  const app = openApp(
    { ...browser.openTab(), webSocket, page, ...environment },
    {
      apiUrl: 'https://latchkey.example',
      ...config,
      wallets: { walletConnect: { relayUrl: relayUrl() }, ...config?.wallets },
    },
  )
  ends.push(app.destroy)
  return { app, page, browser }
}

export async function phoneOf(address = relayUrl()): Promise<Phone> {
  const phone = await createPhone(address)
  ends.push(phone.close)
  return phone
}

export const uriOf = (app: App) =>
  getPendingConnection(app.store.getState(), connectorId)?.uri ?? ''
export const evm = (app: App) => app.store.getState().connections.eip155
export const hasUri = (app: App) => until(() => uriOf(app) !== '')

export async function connected(more: Parameters<typeof openPage>[2] = {}, environment = {}) {
  const opened = openPage(createBrowser(), environment, more)
  const phone = await phoneOf()
  return { ...opened, phone, ...(await join(opened.app, phone)) }
}

/** Connects an app with a phone. */
export async function join(app: App, phone: Phone) {
  const connecting = connect(app, { connectorId })
  await hasUri(app)
  await phone.scan(uriOf(app))
  return { connection: await connecting }
}

export const request = (
  app: App,
  method: string,
  params: unknown[] = [],
  chainId = 'eip155:31337',
) => app.connectors.get(connectorId)?.request(chainId as 'eip155:1', method, params)
