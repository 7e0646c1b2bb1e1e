import type { PendingRequest } from '@latchkey/walletconnect'
import { isError, LatchkeyError } from '@latchkey/wire'
import type { WalletResult } from '../../extension/protocol.ts'
import { toOutcome } from '../../requests/prepareRequest.ts'
import type { WalletConnect } from '../openWalletConnect.ts'
import { requestKey } from '../readQueue.ts'
import { texts } from '../texts.ts'

/**
 * Executes the approved request and responds with its result or error, once: if another window also
 * approves, the request no longer exists there. Throws the errors of `work`, and ABORTED if the
 * request no longer exists.
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

/** Responds to a request, unless another window has already responded. */
export const answerRequest = (
  walletConnect: WalletConnect,
  request: PendingRequest,
  outcome: WalletResult,
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
 * Whether the request is still undecided. From then on this window holds a lock that marks it as
 * decided, because the storage of another window may still have the request for a moment.
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

// Removes the request at once. The response is sent when the relay is connected, also after
// reloads.
async function deliver(
  { wallet, changed, tell }: WalletConnect,
  { topic, id }: PendingRequest,
  outcome: WalletResult,
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

const definedError = ({
  code,
  message,
  data,
}: Extract<WalletResult, { error: unknown }>['error']) => ({
  code,
  message,
  ...(data !== undefined && { data }),
})
