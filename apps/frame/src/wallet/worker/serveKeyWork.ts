import { getWalletRoute, LatchkeyError } from '@latchkey/wire'
import type { KeyStore } from '../keyStore.ts'
import type { Lock } from '../vault.ts'
import type { VaultCall } from '../vaultServer.ts'
import { createKeyWork, type IdentityMemory } from './createKeyWork.ts'
import { type FromWorker, type KeyWorkName, keyWork, toWorker } from './messages.ts'
import { deserializeError, serializeError } from './serializeError.ts'

type Task = {
  readonly work: KeyWorkName
  readonly params?: unknown
  readonly account?: string | undefined
  readonly userId?: string | undefined
}

type Serving = {
  readonly store: KeyStore
  readonly lock: Lock
  readonly send: (message: FromWorker) => void
}

/**
 * The worker's side of its messages: call it with each message. Messages that do not parse are
 * ignored. Responses are parsed before they leave, so that only fields of the schema can leave.
 */
export function serveKeyWork({ store, lock, send }: Serving): (message: unknown) => void {
  const waiting = new Map<number, { done(result: unknown): void; failed(error: unknown): void }>()
  let lastId = 0
  const call: VaultCall = (path, body) =>
    new Promise((done, failed) => {
      lastId += 1
      waiting.set(lastId, { done, failed })
      send({ kind: 'call', id: lastId, path, body })
    })
  const memory: IdentityMemory = {}

  return (message) => {
    const parsed = toWorker.safeParse(message)
    if (!parsed.success) return
    const { data } = parsed
    if (data.kind === 'work') {
      run(data).then(
        (result) => send({ kind: 'done', id: data.id, result }),
        (error: unknown) => send({ kind: 'failed', id: data.id, error: serializeError(error) }),
      )
      return
    }
    const pendingCall = waiting.get(data.id)
    waiting.delete(data.id)
    if (data.kind === 'answer') pendingCall?.done(data.result)
    else pendingCall?.failed(deserializeError(data.error))
  }

  async function run({ work, params, account, userId }: Task): Promise<unknown> {
    const { params: takes, result: gives } = keyWork[work]
    const parsed = takes.safeParse(params)
    if (!parsed.success)
      throw new LatchkeyError('INVALID_PARAMS', { data: { reason: `${work} does not take this` } })
    const works = createKeyWork({ store, lock, call: callFor(call, userId), account }, memory)
    const result = await (works[work] as (params: unknown) => Promise<unknown>)(parsed.data)
    const checked = gives.safeParse(result)
    if (!checked.success) throw new LatchkeyError('INTERNAL')
    return checked.data
  }
}

/**
 * Stored records are named by the user's id, so a server that shows another user than the session's
 * user would bypass everything pinned.
 */
const callFor =
  (call: VaultCall, userId: string | undefined): VaultCall =>
  async (path, body) => {
    const result = await call(path, body)
    if (userId === undefined || path !== getWalletRoute.path) return result
    if ((result as { userId?: unknown } | null)?.userId !== userId)
      throw new LatchkeyError('SIGNED_OUT')
    return result
  }
