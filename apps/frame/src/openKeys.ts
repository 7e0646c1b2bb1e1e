import type { Session } from './session/session.ts'
import keyWorkerAddress from './wallet/worker/keyWorker.ts?worker&url'
import { type KeyWorker, openKeyWorker } from './wallet/worker/openKeyWorker.ts'

type Policy = { createScriptURL(address: string): unknown }
type Factory = {
  createPolicy(name: string, rules: { createScriptURL: (address: string) => string }): Policy
}

/** Keys of one login: its worker, started when it is first needed. */
export type Keys = Pick<KeyWorker, 'do'> & {
  /** Ends the worker; the next piece of work starts another. */
  close(): void
}

/** The worker's own address is the only one a script may ever be made of on our pages. */
export function openKeys({ callPath: call, read }: Pick<Session, 'callPath' | 'read'>): Keys {
  const { trustedTypes } = globalThis as { trustedTypes?: Factory }
  const createScriptURL = (address: string) => {
    if (address !== keyWorkerAddress) throw new TypeError('not a script of ours')
    return address
  }
  const policy: Policy = trustedTypes?.createPolicy('vault', { createScriptURL }) ?? {
    createScriptURL,
  }
  let worker: KeyWorker | undefined
  let owner: string | undefined
  return {
    do: async (work, params) => {
      const deviceId = (await read())?.deviceId
      // Another tab may have signed in anew; one that did not load stays closed.
      if (deviceId !== owner || !worker?.isOpen()) {
        worker?.close()
        owner = deviceId
        // A trusted address is no string to the types of the DOM.
        const address = policy.createScriptURL(keyWorkerAddress) as string
        worker = openKeyWorker(new Worker(address, { type: 'module' }), { call })
      }
      return worker.do(work, params)
    },
    close: () => worker?.close(),
  }
}
