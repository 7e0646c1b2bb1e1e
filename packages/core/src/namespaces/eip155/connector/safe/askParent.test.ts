import { describe, expect, test } from 'vitest'
import { neverSleep } from '../../../../../test/fakeWallet.ts'
import { openParent } from './askParent.ts'

const home = 'https://app.safe.example'

function open({ parentOrigin }: { parentOrigin?: string } = {}) {
  const here = new EventTarget() as EventTarget & Pick<Window, 'addEventListener'>
  const posted: { data: { id: string; method: string }; origin: string }[] = []
  const parent = {
    postMessage: (data: never, origin: string) => void posted.push({ data, origin }),
  } as unknown as Pick<Window, 'postMessage'>
  const controller = new AbortController()
  const channel = openParent({
    windows: { here: here as Window, parent, parentOrigin },
    allowedOrigins: [home, 'https://safe.other.example'],
    sleep: neverSleep,
    signal: controller.signal,
  })
  const say = (data: unknown, from: { origin?: string; source?: unknown } = {}) =>
    here.dispatchEvent(
      Object.assign(new Event('message'), { origin: home, source: parent, data, ...from }),
    )
  return { ...channel, say, posted, controller }
}

describe('openParent', () => {
  test('default', async () => {
    const { ask, say, posted } = open({ parentOrigin: home })
    const answer = ask('getSafeInfo')
    expect(posted).toMatchObject([{ data: { method: 'getSafeInfo' }, origin: home }])
    say({ id: posted[0]?.data.id, success: true, data: { chainId: 1 } })
    expect(await answer).toEqual({ chainId: 1 })
  })

  test('behavior: if the parent is unknown, only the allowed origins may receive it', () => {
    const { ask, posted } = open()
    void ask('getSafeInfo')
    expect(posted.map(({ origin }) => origin)).toEqual([home, 'https://safe.other.example'])
    const elsewhere = open({ parentOrigin: 'https://evil.example' })
    void elsewhere.ask('getSafeInfo')
    expect(elsewhere.posted).toEqual([])
  })

  test('error: what has too many levels is not posted', async () => {
    const { ask, posted } = open({ parentOrigin: home })
    const typedData = JSON.parse(`${'['.repeat(100)}${']'.repeat(100)}`)
    await expect(ask('signTypedMessage', { typedData })).rejects.toMatchObject({
      code: 'INVALID_PARAMS',
    })
    expect(posted).toEqual([])
  })

  test('error: an answer of too many levels, or too large, is refused', async () => {
    const { ask, say, posted } = open({ parentOrigin: home })
    const large = 'y'.repeat(2_000_000)
    for (const data of [JSON.parse(`${'['.repeat(5_000)}${']'.repeat(5_000)}`), large, [large]]) {
      const answer = ask('getSafeInfo')
      say({ id: posted.at(-1)?.data.id, success: true, data })
      await expect(answer).rejects.toMatchObject({ code: 'WALLET_ANSWER_INVALID' })
    }
  })

  test('error: answers of another window or origin, and what is no answer, are not believed', async () => {
    const { ask, say, posted, controller } = open()
    let isAnswered = false
    const answer = ask('getSafeInfo')
    answer.then(
      () => {
        isAnswered = true
      },
      () => {},
    )
    const good = { id: posted[0]?.data.id, success: true, data: 'a lie' }
    say(good, { origin: 'https://evil.example' })
    say(good, { source: {} })
    for (const lie of [
      null,
      7,
      'text',
      {},
      { ...good, id: 'another' },
      { ...good, success: 'yes' },
    ])
      say(lie)
    await Promise.resolve()
    expect(isAnswered).toBe(false)
    controller.abort()
    await expect(answer).rejects.toMatchObject({ code: 'ABORTED' })
  })

  test('error: what the Safe says of a failure', async () => {
    const { ask, say, posted } = open()
    const answer = ask('sendTransactions')
    say({ id: posted[0]?.data.id, success: false, error: 'User rejected' })
    await expect(answer).rejects.toThrow('User rejected')
  })
})
