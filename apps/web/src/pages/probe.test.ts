import type { App } from '@latchkey/core'
import { latchkeyOne } from '@latchkey/core/networks'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { probeBlock } from './probe.ts'

/** Probes a network whose node returns this answer. */
const probe = (answer: unknown): Promise<bigint> => {
  const config = { apiUrl: 'http://127.0.0.1:3000', projectId: 'local' }
  const environment = { fetch: async () => new Response(JSON.stringify(answer)) }
  const app = { config, environment } as unknown as App
  return probeBlock(app, { network: latchkeyOne, signal: new AbortController().signal })
}

test('default: the number of a block', async () => {
  expect(await probe({ jsonrpc: '2.0', id: 1, result: '0x1f' })).toBe(31n)
  expect(await probe({ jsonrpc: '2.0', id: 1, result: 31 })).toBe(31n)
})

test('error: an answer without a block number', async () => {
  for (const wrong of [
    null,
    '',
    {},
    { result: -31 },
    { result: 3.1 },
    { result: '31' },
    { result: '0x' },
  ])
    await expect(probe(wrong)).rejects.toThrow('The answer holds no block number')
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), async (value) => {
      await expect(probe(value)).rejects.toThrow()
    }),
  )
})
