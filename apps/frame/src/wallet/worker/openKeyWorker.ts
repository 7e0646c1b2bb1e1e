import { LatchkeyError } from '@latchkey/wire'
import type { VaultCall } from '../vaultServer.ts'
import {
  fromWorker,
  type KeyWorkName,
  keyWork,
  type ToWorker,
  type WorkParams,
  type WorkResult,
} from './messages.ts'
import { deserializeError, serializeError } from './serializeError.ts'

/**
 * How long an idle worker stays. Longer than the polling interval of screens that request it
 * repeatedly.
 */
const idleMs = 3_000

/**
 * The key worker for the page: call it to run tasks. `close` ends it together with everything in
 * its memory, and so do a failure of its script and three idle seconds. Only a worker that keeps
 * its store in memory, because the browser stores nothing, stays.
 */
export type KeyWorker = {
  /**
   * With `account`, only the wallet with this EVM account does it; with `userId`, only for this
   * user.
   */
  do<W extends KeyWorkName>(
    work: W,
    params: WorkParams<W>,
    account?: string,
    userId?: string,
  ): Promise<WorkResult<W>>
  isOpen(): boolean
  close(): void
}

/**
 * Connects a worker. `call` reaches the vault with the session's proof. Open another worker after
 * another login, because each worker keeps one identity.
 */
export function openKeyWorker(worker: Worker, { call }: { readonly call: VaultCall }): KeyWorker {
  const waiting = new Map<number, { done(result: unknown): void; failed(error: unknown): void }>()
  let lastId = 0
  let closed = false
  let isDurable = false
  let idle: ReturnType<typeof setTimeout> | undefined
  const send = (message: ToWorker) => {
    if (!closed) worker.postMessage(message)
  }
  const close = (reason: Error = new LatchkeyError('CHANNEL_CLOSED')) => {
    closed = true
    clearTimeout(idle)
    worker.terminate()
    for (const { failed } of waiting.values()) failed(reason)
    waiting.clear()
  }
  worker.addEventListener('error', ({ message }) => close(toLoadError(message)))
  worker.addEventListener('message', (event: MessageEvent<unknown>) => {
    const parsed = fromWorker.safeParse(event.data)
    if (!parsed.success) return
    const message = parsed.data
    if (message.kind === 'ready') {
      isDurable = message.durable
      return
    }
    if (message.kind === 'call') {
      call(message.path, message.body).then(
        (result) => send({ kind: 'answer', id: message.id, result }),
        (error: unknown) => send({ kind: 'refusal', id: message.id, error: serializeError(error) }),
      )
      return
    }
    const task = waiting.get(message.id)
    waiting.delete(message.id)
    if (message.kind === 'done') task?.done(message.result)
    else task?.failed(deserializeError(message.error))
    clearTimeout(idle)
    if (waiting.size === 0 && isDurable) idle = setTimeout(close, idleMs)
  })
  return {
    async do(work, params, account, userId) {
      if (closed) throw new LatchkeyError('CHANNEL_CLOSED')
      const result = await new Promise<unknown>((done, failed) => {
        lastId += 1
        clearTimeout(idle)
        waiting.set(lastId, { done, failed })
        const about = { ...(account && { account }), ...(userId && { userId }) }
        send({ kind: 'work', id: lastId, work, params, ...about })
      })
      return keyWork[work].result.parse(result) as WorkResult<typeof work>
    },
    isOpen: () => !closed,
    close: () => close(),
  }
}

/** Without a message, the worker's script did not load; with one, a part of it failed. */
const toLoadError = (message: string | undefined) =>
  message === undefined || /module/.test(message)
    ? new LatchkeyError('OFFLINE', { cause: new TypeError('a module of the key worker is lost') })
    : undefined
