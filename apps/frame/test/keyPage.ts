import { isError } from '@latchkey/wire'
import { openKeyWorker } from '../src/wallet/worker/openKeyWorker.ts'

declare global {
  interface Window {
    vaultCall: (path: string, body: unknown) => Promise<{ result?: unknown; code?: string }>
    said: unknown[]
    work: (work: string, params: unknown) => Promise<unknown>
  }
}

window.said = []
const open = () => {
  const worker = new Worker('/keyWorker.js', { type: 'module' })
  worker.addEventListener('message', (event) => window.said.push(event.data))
  return openKeyWorker(worker, {
    async call(path, body) {
      const { result, code } = await window.vaultCall(path, body)
      if (code === undefined) return result
      throw Object.assign(new Error(code), { name: 'LatchkeyError', code, data: {} })
    },
  })
}
let keys = open()
window.work = (work, params) => {
  // Without work for a while, a worker ends.
  if (!keys.isOpen()) keys = open()
  return keys.do(work as 'getStatus', params as Record<never, never>).catch((error: unknown) => ({
    error: isError(error) ? error.code : String(error),
  }))
}
