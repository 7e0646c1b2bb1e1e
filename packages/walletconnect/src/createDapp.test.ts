import { afterEach, expect, test, vi } from 'vitest'
import { setUp, testRequirements } from '../test/testingClients.ts'

let world: ReturnType<typeof setUp>
afterEach(() => {
  world.close()
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const payload = {
  chains: ['eip155:1'],
  domain: 'app.test',
  aud: 'https://app.test/login',
  nonce: 'a1b2c3d4',
}
const verify = async () => true

test('behavior: closing the client rejects a pending approval and keeps the proposal', async () => {
  world = setUp()
  const dapp = await world.dapp()
  const { approval } = await dapp.connect({ optionalNamespaces: testRequirements })
  dapp.close()
  await expect(approval).rejects.toMatchObject({ code: 'ABORTED' })
  const kept = [...dapp.storage.entries.values()].join()
  expect(kept).toContain('"isCancelled":false')
})

test('behavior: closing ends a sign-in and its timer', async () => {
  world = setUp()
  const dapp = await world.dapp()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const started = vi.spyOn(globalThis, 'setTimeout')
  const cleared = vi.spyOn(globalThis, 'clearTimeout')
  const { answer } = await dapp.authenticate({
    payload,
    methods: [],
    optionalNamespaces: testRequirements,
    verify,
  })
  dapp.close()
  await expect(answer).rejects.toMatchObject({ code: 'ABORTED' })
  // Other code in this process has timers too, but all are shorter than the five minutes of a
  // sign-in.
  const at = started.mock.calls.findIndex(([, delayMs = 0]) => delayMs > 290_000)
  expect(cleared).toHaveBeenCalledWith(started.mock.results[at]?.value)
  expect(started.mock.results[at]?.value).toBeDefined()
})
