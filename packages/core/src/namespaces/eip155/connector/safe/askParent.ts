import { findExcess, LatchkeyError } from '@latchkey/wire'
import { checkBounds, maxLength } from '../../../../connection/connectors/checkBounds.ts'

/** The version of the Safe Apps protocol that requests name. */
const sdkVersion = '9.1.0'
/** The time limit after which the parent page counts as not being a Safe. */
const greetingMs = 3_000

/** The parts of this window and of its parent that are used here. */
export type Windows = {
  readonly here: Pick<Window, 'addEventListener' | 'removeEventListener'>
  readonly parent: Pick<Window, 'postMessage'>
  /** The parent's origin, if the browser reveals it. */
  readonly parentOrigin: string | undefined
}

/** Sends a request to the Safe that embeds this page; rejects with the Safe's error. */
export type AskSafe = (method: string, params?: unknown) => Promise<unknown>

/**
 * Speaks the Safe Apps protocol with the parent window, whose origin must be in `allowedOrigins`
 * exactly. No other window receives a request, and messages from other windows are ignored. `greet`
 * requests the Safe's facts and throws TIMEOUT without a response.
 */
export function openParent(parameters: {
  windows: Windows
  allowedOrigins: readonly string[]
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>
  signal: AbortSignal
}): { ask: AskSafe; greet: () => Promise<unknown> } {
  const { windows, allowedOrigins, sleep, signal } = parameters
  const { here, parent, parentOrigin } = windows
  // If the browser does not reveal the parent's origin, send to each allowed origin: the browser
  // delivers a message only if the target origin matches.
  const origins = parentOrigin
    ? allowedOrigins.filter((each) => each === parentOrigin)
    : allowedOrigins
  const waiting = new Map<string, { resolve(value: unknown): void; reject(cause: unknown): void }>()
  const listen = (event: Event) => {
    const { source, origin, data } = event as MessageEvent<unknown>
    if (source !== parent || !origins.includes(origin)) return
    const answer = parseAnswer(data)
    const question = answer && waiting.get(answer.id)
    if (!question) return
    waiting.delete(answer.id)
    if (answer.success && findExcess(answer.data, maxLength))
      question.reject(new LatchkeyError('WALLET_ANSWER_INVALID'))
    else if (answer.success) question.resolve(answer.data)
    else question.reject(new Error(answer.error))
  }
  here.addEventListener('message', listen)
  signal.addEventListener('abort', () => {
    here.removeEventListener('message', listen)
    for (const { reject } of waiting.values()) reject(new LatchkeyError('ABORTED'))
    waiting.clear()
  })
  const ask: AskSafe = (method, params) =>
    new Promise((resolve, reject) => {
      checkBounds(params)
      const id = crypto.randomUUID()
      waiting.set(id, { resolve, reject })
      for (const origin of origins)
        parent.postMessage({ id, method, params, env: { sdkVersion } }, origin)
    })
  const greet = async () => {
    const late = new AbortController()
    const timeout = sleep(greetingMs, late.signal).then(() => {
      throw new LatchkeyError('TIMEOUT')
    })
    timeout.catch(() => {})
    try {
      return await Promise.race([ask('getSafeInfo'), timeout])
    } finally {
      late.abort()
    }
  }
  return { ask, greet }
}

type ParentResponse = { id: string } & (
  | { success: true; data: unknown }
  | { success: false; error: string }
)

function parseAnswer(value: unknown): ParentResponse | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { id, success, data, error } = value as Record<string, unknown>
  if (typeof id !== 'string') return undefined
  if (success === true) return { id, success, data }
  return success === false ? { id, success, error: String(error ?? '').slice(0, 200) } : undefined
}
