import { startUpstream } from './fakeUpstream.ts'

const isBeyondName: Fails = ({ method }) => method !== 'eth_chainId'
type Fails = (call: { readonly method: string; readonly params?: unknown }) => boolean

/**
 * A proxy of the node at `url` that answers the calls in `fails` with an error until `heal` is
 * called. Default: all calls except the chain id.
 */
export async function startFailing(url: string, fails: Fails = isBeyondName) {
  let isHealed = false
  const node = await startUpstream(async (response, calls) => {
    const answers = calls.map(async ({ id, method, params }) => {
      if (!isHealed && fails({ method, params }))
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
