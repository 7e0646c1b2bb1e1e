import { isError } from '@latchkey/wire'
import { expect, test } from 'vitest'
import { passkey as t } from '../locales/passkey.en.ts'
import type { PasskeyProps } from '../screens/PasskeyScreen.tsx'
import { createScreenQueue } from '../screens/screenQueue.ts'
import { passkeyHandler } from './passkeyHandler.ts'

const origin = 'https://shop.example'

const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0'
const safari =
  'Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari'
const listed = [origin]

/** Begins an account for a page; the view that the frame shows, or the code of the refusal. */
async function begin({
  isPlain = false,
  passkeyAccounts = true,
  recoveryLater = [] as string[],
  durable = true,
  userAgent = chrome,
}) {
  const asked: string[] = []
  const screenQueue = createScreenQueue()
  const session = {
    call: async ({ path }: { path: string }) => {
      asked.push(path)
      return { challenge: '' }
    },
    saveTokens: async () => {},
  }
  const context = {
    window: {
      document: { cookie: '' },
      location: { origin: 'https://keys.example' },
      navigator: { userAgent },
    },
    facts: { projectId: 'local', passkeyAccounts, recoveryLater },
    store: { durable },
    keys: { close: () => {} },
    screenQueue,
    session,
  }
  const getUser = () => ({})
  const page = { origin, isPlain, getUser } as never
  const answer = passkeyHandler(context as never, {} as never, page)
  const served = { signal: new AbortController().signal }
  const outcome = Promise.resolve(answer({ create: true }, served as never)).catch(
    (error: unknown) => (isError(error) ? error.code : error),
  )
  const shown = new Promise((resolve) => {
    screenQueue.subscribe(() => resolve(screenQueue.current()))
  })
  const first = (await Promise.race([outcome, shown])) as { props?: PasskeyProps<unknown> }
  screenQueue.close()
  return { first, outcome: await outcome, asked }
}

test('security: a page begins no account without a press in the frame', async () => {
  const { first, outcome, asked } = await begin({})
  expect(first).toMatchObject({ view: 'passkey', props: { target: origin } })
  expect(outcome).toBe('USER_REJECTED')
  expect(asked).toEqual([])
})

test('security: no account begins for a page that hides the frame, or if the operator does not allow it', async () => {
  for (const not of [{ isPlain: true }, { passkeyAccounts: false }]) {
    const { first, asked } = await begin(not)
    expect(first).toBe('UNSUPPORTED_METHOD')
    expect(asked).toEqual([])
  }
})

test.each([
  ['a page on which recovery may come later', { recoveryLater: listed }, false],
  ['another page', {}, true],
  ['a browser that keeps nothing', { recoveryLater: listed, durable: false }, true],
  ['storage that ends with the visit', { recoveryLater: listed, userAgent: safari }, true],
] as const)(
  'behavior: the passkey is proven, and promised to open the wallet elsewhere, unless recovery may come later: %s',
  async (_, page, isProven) => {
    const { first } = await begin(page as Parameters<typeof begin>[0])
    expect(first.props?.text).toBe(isProven ? t.newText : t.newHereText)
    const made: unknown[] = []
    const makes = async (creating: { isProven: boolean }) => {
      made.push(creating.isProven)
      return { passkey: { id: 'cGFzc2tleQ' } }
    }
    const begun = await first.props?.work({ begin: makes } as never)
    expect(made).toEqual([isProven])
    expect(begun).toBe(isProven ? 'unfit' : 'unproven')
  },
)
