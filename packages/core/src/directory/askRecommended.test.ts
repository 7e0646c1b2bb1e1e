import type { DirectoryWallet } from '@latchkey/wire'
import { expect, test } from 'vitest'
import { createBrowser, openApp } from '../../test/tab.ts'
import type { Config } from '../app.ts'
import { askRecommended, findListedWallet } from './askRecommended.ts'
import { getSavedWallets, saveWallets } from './savedWallets.ts'

const toWallet = (name: string): DirectoryWallet => ({
  id: name.padEnd(64, '0'),
  name,
  image_id: name,
  chains: ['eip155:1'],
})
const toList = (...names: string[]) => ({ count: 9, data: names.map(toWallet) })

/**
 * An app whose server returns these responses in turn and repeats the last; a number is an HTTP
 * status.
 */
function visit(
  answers: (number | ReturnType<typeof toList>)[],
  { config = {}, browser = createBrowser() }: { config?: Partial<Config>; browser?: Browser } = {},
) {
  const asked: URLSearchParams[] = []
  const slept: number[] = []
  const clock = { ms: 0 }
  const app = openApp(
    {
      ...browser.openTab(),
      now: () => clock.ms,
      sleep: async (ms) => void slept.push(ms),
      fetch: async (url) => {
        const answer = answers[Math.min(asked.length, answers.length - 1)]
        asked.push(new URL(String(url)).searchParams)
        return typeof answer === 'number'
          ? new Response('', { status: answer })
          : Response.json(answer)
      },
    },
    config,
  )
  const names = () => app.store.getState().recommended?.list?.wallets.map(({ name }) => name)
  const status = () => app.store.getState().recommended?.status
  return { app, asked, slept, clock, names, status }
}
type Browser = ReturnType<typeof createBrowser>

test('default: asks once for all who want it, and keeps the answer for the next visit', async () => {
  const { app, asked, names, status } = visit([toList('Alder', 'Birch')])
  askRecommended(app)
  askRecommended(app)
  expect(status()).toBe('asking')
  await expect.poll(status).toBe('answered')
  expect(names()).toEqual(['Alder', 'Birch'])
  expect(asked.map((search) => search.get('entries'))).toEqual(['4'])
  expect(getSavedWallets(app)).toMatchObject({ count: 9, wallets: [{ name: 'Alder' }, {}] })
})

test('behavior: a response is fresh for five minutes, and stays until the next response', async () => {
  const { app, asked, clock, names, status } = visit([toList('Alder'), toList('Birch')])
  askRecommended(app)
  await expect.poll(status).toBe('answered')
  clock.ms = 5 * 60_000 - 1
  askRecommended(app)
  expect([status(), asked.length]).toEqual(['answered', 1])
  clock.ms += 1
  askRecommended(app)
  expect([status(), names()]).toEqual(['asking', ['Alder']])
  await expect.poll(status).toBe('answered')
  expect(names()).toEqual(['Birch'])
})

test('behavior: shows the list of the last visit until the response', async () => {
  const browser = createBrowser()
  saveWallets(visit([], { browser }).app, { count: 5, wallets: [toWallet('Elm')] })
  const { app, names, status } = visit([404], { browser })
  askRecommended(app)
  expect(names()).toEqual(['Elm'])
  await expect.poll(status).toBe('failed')
  expect(names()).toEqual(['Elm'])
})

test('error: retries a failing server three times, and again at the next use', async () => {
  const { app, asked, slept, names, status } = visit([503, 503, 503, 503, toList('Alder')])
  askRecommended(app)
  await expect.poll(status).toBe('failed')
  expect(slept).toEqual([1_000, 2_000, 4_000])
  expect([asked.length, names()]).toEqual([4, undefined])
  askRecommended(app)
  expect(status()).toBe('asking')
  await expect.poll(names).toEqual(['Alder'])
})

test('error: what a second try cannot change is not tried again', async () => {
  const { app, asked, slept, status } = visit([404])
  askRecommended(app)
  await expect.poll(status).toBe('failed')
  expect([asked.length, slept]).toEqual([1, []])
})

test('behavior: a destroyed app sends no further request', async () => {
  const { app, asked, status } = visit([503])
  askRecommended(app)
  app.destroy()
  await expect.poll(status).toBe('failed')
  expect(asked.length).toBe(1)
})

test('param: wallets.featuredIds: those come first, each wallet once', async () => {
  const featuredIds = [toWallet('Fir').id, toWallet('Alder').id]
  const { app, asked, names } = visit(
    [toList('Fir', 'Alder'), toList('Alder', 'Birch', 'Cedar', 'Dogwood', 'Elm', 'Hazel')],
    { config: { wallets: { featuredIds } } },
  )
  askRecommended(app)
  await expect.poll(names).toEqual(['Fir', 'Alder', 'Birch', 'Cedar', 'Dogwood', 'Elm'])
  expect(asked.map((search) => [search.get('include'), search.get('entries')])).toEqual([
    [featuredIds.join(','), '2'],
    [null, '6'],
  ])
})

test('param: wallets.enabled: sends no request without wallets', () => {
  const { app, asked, status } = visit([toList('Alder')], {
    config: { wallets: { enabled: false } },
  })
  askRecommended(app)
  expect([status(), asked.length]).toEqual([undefined, 0])
})

test('behavior: finds a wallet of the list, and prefers a wallet that the app describes', async () => {
  const { id } = toWallet('Alder')
  const customWallets = [{ id, name: 'Our Alder' }]
  const own = visit([toList('Alder')], { config: { wallets: { custom: customWallets } } })
  const plain = visit([toList('Alder')])
  for (const { app, status } of [own, plain]) {
    askRecommended(app)
    await expect.poll(status).toBe('answered')
  }
  expect(findListedWallet(own.app, id)?.name).toBe('Our Alder')
  expect(findListedWallet(plain.app, id)?.name).toBe('Alder')
  expect(findListedWallet(plain.app, 'none')).toBeUndefined()
})
