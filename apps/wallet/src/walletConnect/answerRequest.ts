import type { PendingRequest, Wallet } from '@latchkey/walletconnect'
import { isError, LatchkeyError } from '@latchkey/wire'
import type { Outcome } from '../protocol.ts'
import { changeState, readState } from '../state.ts'
import type { WalletConnect } from './openWalletConnect.ts'
import { answerKey } from './readQueue.ts'
import { texts } from './texts.ts'

/** Runs one thing at a time of all that windows of the wallet do for a request. */
const inTurn = <Value>(key: string, work: () => Promise<Value>): Promise<Value> =>
  navigator.locks.request(`latchkey.wallet.answer.${key}`, work) as Promise<Value>

const isPending = (wallet: Wallet, key: string) =>
  wallet.requests().some((request) => answerKey(request) === key)

/**
 * Does what a person approved, once: another window that approves too gets the same result, and a reload before it is
 * delivered does not ask again. Throws ABORTED when the request is gone.
 */
export const approveOnce = (
  { wallet }: WalletConnect,
  request: PendingRequest,
  work: () => Promise<unknown>,
): Promise<unknown> => {
  const key = answerKey(request)
  return inTurn(key, async () => {
    const known = readState().answers[key]
    if (known && 'result' in known) return known.result
    if (known || !isPending(wallet, key)) throw new LatchkeyError('ABORTED')
    const result = (await work()) ?? null
    keep(key, { result })
    return result
  })
}

/** Keeps the first answer to a request and delivers it. */
export async function answerRequest(
  walletConnect: WalletConnect,
  request: PendingRequest,
  outcome: Outcome,
): Promise<void> {
  const key = answerKey(request)
  await inTurn(key, async () => {
    if (!isPending(walletConnect.wallet, key)) return drop(key)
    if (!Object.hasOwn(readState().answers, key)) keep(key, outcome)
    walletConnect.changed()
    await deliver(walletConnect, request)
  })
  walletConnect.changed()
}

/** Delivers what was decided before a reload or while the relay was away. */
export async function deliverAnswers(walletConnect: WalletConnect): Promise<void> {
  const pending = walletConnect.wallet.requests()
  const known = new Set(pending.map(answerKey))
  const { answers } = readState()
  for (const key of Object.keys(answers)) if (!known.has(key)) drop(key)
  for (const request of pending) {
    const key = answerKey(request)
    if (!Object.hasOwn(answers, key)) continue
    await inTurn(key, async () => {
      if (isPending(walletConnect.wallet, key)) await deliver(walletConnect, request)
    })
  }
}

async function deliver(walletConnect: WalletConnect, request: PendingRequest): Promise<void> {
  const key = answerKey(request)
  const answer = readState().answers[key]
  if (!answer) return
  try {
    await walletConnect.wallet.respond(
      request.topic,
      request.id,
      'result' in answer ? { result: answer.result } : { error: errorOf(answer.error) },
    )
    drop(key)
  } catch (error) {
    if (!isGone(error)) return walletConnect.tell(texts.undelivered)
    drop(key)
    walletConnect.tell(texts.answeredTooLate)
  }
}

const errorOf = ({ code, message, data }: Extract<Outcome, { error: unknown }>['error']) => ({
  code,
  message,
  ...(data !== undefined && { data }),
})

const isGone = (error: unknown) => isError(error) && /NO_MATCHING_KEY|EXPIRED/.test(error.code)

const keep = (key: string, outcome: Outcome) =>
  changeState(({ answers }) => ({ answers: { ...answers, [key]: outcome } }))

const drop = (key: string) => {
  if (!Object.hasOwn(readState().answers, key)) return
  changeState(({ answers }) => {
    const { [key]: _gone, ...kept } = answers
    return { answers: kept }
  })
}
