import { expect, test } from 'vitest'
import { readStorageLife } from './readStorageLife.ts'

const agents = {
  chrome:
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  android:
    'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36',
  edge: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0',
  firefox: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  safari:
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari/605.1.15',
  iphone:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
  chromeOnIphone:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/142.0.0.0 Mobile/15E148 Safari/604.1',
  app: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148',
} as const

/** The frame in a browser that gives it strict cookies only in pages of the same site. */
function read(
  agent: keyof typeof agents,
  { brave, getDirectory, isSameSite = false, origin = 'https://app.example' }: Options = {},
) {
  const jar = new Set<string>()
  const document = {
    get cookie() {
      return [...jar].join('; ')
    },
    set cookie(line: string) {
      const [cookie = ''] = line.split(';')
      if (!isSameSite) return
      if (line.includes('Max-Age=0')) jar.delete(cookie)
      else jar.add(cookie)
    },
  }
  const navigator = {
    userAgent: agents[agent],
    ...(brave && { brave }),
    ...(getDirectory && { storage: { getDirectory } }),
  }
  const location = { origin: 'https://keys.wallet.example' }
  return { life: readStorageLife({ document, location, navigator }, origin), jar }
}
type Options = {
  brave?: { isBrave?: () => Promise<boolean> }
  getDirectory?: () => Promise<unknown>
  isSameSite?: boolean
  origin?: string
}

const brave = { isBrave: async () => true }

test.each(['chrome', 'android', 'edge', 'firefox'] as const)(
  'default: %s keeps it',
  async (agent) => {
    expect(await read(agent).life).toBe('lasting')
  },
)

test.each(['safari', 'iphone', 'chromeOnIphone', 'app'] as const)(
  'behavior: WebKit ends it with the visit: %s',
  async (agent) => {
    expect(await read(agent).life).toBe('visit')
    expect(await read(agent, { isSameSite: true }).life).toBe('visit')
    expect(await read(agent, { origin: 'https://keys.wallet.example' }).life).toBe('lasting')
  },
)

test('behavior: Brave ends it with the visit in pages of other sites, and no cookie is left', async () => {
  expect(await read('chrome', { brave }).life).toBe('visit')
  const sameSite = read('chrome', { brave, isSameSite: true })
  expect(await sameSite.life).toBe('lasting')
  expect(sameSite.jar.size).toBe(0)
})

test('behavior: a private window of Firefox, which has no private files, ends it with the visit', async () => {
  const getDirectory = () => Promise.reject(new DOMException('no', 'SecurityError'))
  expect(await read('firefox', { getDirectory }).life).toBe('visit')
  expect(await read('firefox', { getDirectory: async () => ({}) }).life).toBe('lasting')
})

test('error: a page script that pretends to be another browser breaks nothing', async () => {
  expect(await read('chrome', { brave: {} }).life).toBe('lasting')
  const broken = { isBrave: () => Promise.reject(new Error('no')) }
  expect(await read('chrome', { brave: broken }).life).toBe('lasting')
})
