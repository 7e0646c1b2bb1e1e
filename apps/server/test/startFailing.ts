import { startUpstream } from './fakeUpstream.ts'

const isBeyondName: Fails = ({ method }) => method !== 'eth_chainId'
type Fails = (call: { readonly method: string; readonly params?: unknown }) => boolean

/**
 * A node before `url` that answers with an error what `fails` says until it is `heal`ed: all calls
 * but the chain's name unless given.
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
