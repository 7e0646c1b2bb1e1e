import type { PendingRequest } from '@latchkey/walletconnect'
import { isError, LatchkeyError } from '@latchkey/wire'
import type { Outcome } from '../../extension/protocol.ts'
import { toOutcome } from '../../requests/prepareRequest.ts'
import type { WalletConnect } from '../openWalletConnect.ts'
import { requestKey } from '../readQueue.ts'
import { texts } from '../texts.ts'

/**
 * Executes what the user approved and answers with its result or error, once: another window that
 * approves too finds the request gone. Throws what `work` throws, and ABORTED when it was gone.
 */
export const approveRequest = (
  walletConnect: WalletConnect,
  request: PendingRequest,
  work: () => Promise<unknown>,
): Promise<unknown> =>
  withRequestLock(request, async () => {
    if (!isPending(walletConnect, request) || !(await decide(request)))
      throw new LatchkeyError('ABORTED')
    try {
      const result = (await work()) ?? null
      void deliver(walletConnect, request, { result })
      return result
    } catch (error) {
      void deliver(walletConnect, request, toOutcome(error))
      throw error
    }
  })

/** Answers a request that nobody has answered meanwhile. */
export const answerRequest = (
  walletConnect: WalletConnect,
  request: PendingRequest,
  outcome: Outcome,
): Promise<void> =>
  withRequestLock(request, async () => {
    if (isPending(walletConnect, request) && (await decide(request)))
      void deliver(walletConnect, request, outcome)
    walletConnect.changed()
  })

/** Lets one window at a time decide a request. */
const withRequestLock = <Value>(
  request: PendingRequest,
  work: () => Promise<Value>,
): Promise<Value> =>
  navigator.locks.request(`latchkey.wallet.request.${requestKey(request)}`, work) as Promise<Value>

/**
 * Whether nobody has decided the request before. From then on this window holds a lock that says
 * so, for the storage of another window may still have the request for a moment.
 */
const decide = (request: PendingRequest): Promise<boolean> =>
  new Promise((resolve) => {
    const name = `latchkey.wallet.decided.${requestKey(request)}`
    void navigator.locks.request(name, { ifAvailable: true }, (lock) => {
      resolve(lock !== null)
      return lock === null ? undefined : new Promise<void>(() => {})
    })
  })

const isPending = ({ wallet }: WalletConnect, request: PendingRequest) =>
  wallet.requests().some((one) => requestKey(one) === requestKey(request))

// The request is gone at once; its answer goes out when the relay is there, over reloads too.
async function deliver(
  { wallet, changed, tell }: WalletConnect,
  { topic, id }: PendingRequest,
  outcome: Outcome,
): Promise<void> {
  const answer = 'result' in outcome ? outcome : { error: definedError(outcome.error) }
  try {
    const delivered = wallet.respond(topic, id, answer)
    changed()
    await delivered
  } catch (error) {
    const code: string = isError(error) ? error.code : ''
    tell(code === 'EXPIRED' || code === 'NO_MATCHING_KEY' ? texts.tooLate : texts.undelivered)
  }
}

const definedError = ({ code, message, data }: Extract<Outcome, { error: unknown }>['error']) => ({
  code,
  message,
  ...(data !== undefined && { data }),
})
