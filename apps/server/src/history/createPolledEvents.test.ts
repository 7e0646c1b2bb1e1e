import { expect, onTestFinished, test } from 'vitest'
import { makeServices } from '../../test/makeServices.ts'
import { createPolledEvents } from './createPolledEvents.ts'

const chainId = 'solana:4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z'

test('behavior: a client that listens to many accounts does not slow the reads of others', async () => {
  const reads = new Map<string, number>()
  const events = createPolledEvents(
    {
      ...makeServices({}),
      async read({ address }) {
        reads.set(address, (reads.get(address) ?? 0) + 1)
        return ''
      },
    },
    5,
  )
  const listen = (address: string, client: number) =>
    onTestFinished(events.listen({ chainId, address }, () => {}, { address: client, network: 1 }))
  for (let index = 0; index < 300; index++) listen(`many ${index}`, 1)
  listen('one', 2)
  await expect.poll(() => reads.get('one')).toBeGreaterThan(3)
  expect(reads.get('many 0')).toBe(1)
})
