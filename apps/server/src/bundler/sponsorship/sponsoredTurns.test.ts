import { afterAll, beforeAll, expect, test } from 'vitest'
import { startUpstream } from '../../../test/fakeUpstream.ts'
import { type BundlerWorld, execute, sink, startBundler } from '../../../test/startBundler.ts'
import { entryPoint } from '../operations/userOperation.ts'

/** A node that counts how many requests with an estimate it has at once. */
async function startCounting(url: string) {
  const counted = { now: 0, most: 0 }
  const ask = async (call: object) => {
    const headers = { 'content-type': 'application/json' }
    return (await fetch(url, { method: 'POST', headers, body: JSON.stringify(call) })).json()
  }
  const node = await startUpstream(async (response, calls) => {
    const isEstimate = calls.some(({ method }) => method === 'eth_estimateGas')
    if (isEstimate) counted.most = Math.max(counted.most, ++counted.now)
    // Long enough for another request to arrive.
    for (let times = 0; isEstimate && times < 20; times++)
      await ask({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] })
    const all = await Promise.all(calls.map((call) => ask({ jsonrpc: '2.0', ...call })))
    if (isEstimate) counted.now--
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(all.length === 1 ? all[0] : all))
  })
  return { ...node, counted }
}

let world: BundlerWorld
let node: Awaited<ReturnType<typeof startCounting>>
beforeAll(async () => {
  world = await startBundler({
    async toUpstreams(url) {
      node = await startCounting(url)
      return [node.url]
    },
  })
})
afterAll(async () => {
  await world?.stop()
  await node?.stop()
})

test.each(['pm_sponsorUserOperation', 'pm_getPaymasterData', 'eth_estimateUserOperationGas'])(
  'security: a client that invents senders has one estimate at a time with %s',
  async (method) => {
    node.counted.most = 0
    const accounts = await Promise.all(Array.from({ length: 4 }, () => world.openAccount()))
    const more = method.startsWith('pm_getPaymaster') ? ['0x7a69'] : []
    const drafts = accounts.map((account) =>
      world.draft(account, execute(sink), {
        callGasLimit: '0x5000',
        verificationGasLimit: '0x10000',
        preVerificationGas: '0x10000',
      }),
    )
    const replies = await Promise.all(
      drafts.map((draft) => world.ask(method, [draft, entryPoint, ...more])),
    )
    for (const reply of replies) expect(reply).toHaveProperty('result')
    expect(node.counted.most).toBe(1)
  },
)
