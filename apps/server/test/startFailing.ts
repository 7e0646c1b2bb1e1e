import { startUpstream } from './fakeUpstream.ts'

/** A node before `url` that names its chain and answers every other call with an error until it is `heal`ed. */
export async function startFailing(url: string) {
  let isHealed = false
  const node = await startUpstream(async (response, calls) => {
    const answers = calls.map(async ({ id, method, params }) => {
      if (!isHealed && method !== 'eth_chainId')
        return { jsonrpc: '2.0', id, error: { code: -32000, message: 'internal failure' } }
      const body = JSON.stringify({ jsonrpc: '2.0', id, method, params })
      const headers = { 'content-type': 'application/json' }
      return (await fetch(url, { method: 'POST', headers, body })).json()
    })
    const all = await Promise.all(answers)
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(all.length === 1 ? all[0] : all))
  })
  return {
    ...node,
    heal() {
      isHealed = true
    },
  }
}
