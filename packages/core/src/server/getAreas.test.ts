import { expect, test } from 'vitest'
import { openApp } from '../../test/tab.ts'
import type { Config } from '../app.ts'
import { getAreas } from './getAreas.ts'

const open = (config: Partial<Config> = {}) =>
  openApp({ fetch: async () => Response.json({ http: ['eip155:31337'], ws: [] }) }, config)

test('error: a network that the server has no node for is one warning', async () => {
  const app = open()
  await Promise.all([getAreas(app), getAreas(app)])
  expect(app.warnings).toEqual([
    'The server http://127.0.0.1:1 has no node for Latchkey Two (eip155:31338), so balances and other data are missing. Add the network to its CHAINS_FILE, or set `rpcUrls` in the config',
  ])
})

test('param: rpcUrls: a network with a node of the app is no warning', async () => {
  const app = open({ rpcUrls: { 'eip155:31338': 'http://127.0.0.1:2' } })
  await getAreas(app)
  expect(app.warnings).toEqual([])
})
