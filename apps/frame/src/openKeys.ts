import type { LoginSession } from './auth/loginSession.ts'
import keyWorkerAddress from './wallet/worker/keyWorker.ts?worker&url'
import { type KeyWorker, openKeyWorker } from './wallet/worker/openKeyWorker.ts'

type Policy = { createScriptURL(address: string): unknown }
type Factory = {
  createPolicy(name: string, rules: { createScriptURL: (address: string) => string }): Policy
}

/** The keys of one login: its worker starts when it is first needed. */
export type KeyClient = Pick<KeyWorker, 'do'> & {
  /** Ends the worker; the next task starts another. */
  close(): void
}

/** The worker's URL is the only script URL that our pages may create. */
export function openKeys({
  callPath: call,
  read,
}: Pick<LoginSession, 'callPath' | 'read'>): KeyClient {
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
    do: async (work, params, account) => {
      const { deviceId, userId } = (await read()) ?? {}
      // Another tab may have signed in again; a worker that failed to load stays closed.
      if (deviceId !== owner || !worker?.isOpen()) {
        worker?.close()
        owner = deviceId
        // The DOM's types do not accept a TrustedScriptURL as a string.
        const address = policy.createScriptURL(keyWorkerAddress) as string
        worker = openKeyWorker(new Worker(address, { type: 'module' }), { call })
      }
      return worker.do(work, params, account, userId)
    },
    close: () => worker?.close(),
  }
}
