import {
  checkSiwxMessage,
  explainRefusal,
  parseSiwxMessage,
  type SignedText,
} from '@latchkey/wire/siwx'
import { badRequest, type Failure } from '../http/failure.ts'
import type { Upstreams } from '../nodes/upstreams.ts'
import type { Services } from '../services.ts'
import { isSignedByContract } from '../signatures/isSignedByContract.ts'
import { isSignedByKey } from '../signatures/isSignedByKey.ts'
import {
  bindNonce,
  findNonceFault,
  openSiwxSession,
  type SignedPage,
  type SiwxPage,
} from './siwxStore.ts'

type Area = Pick<Services, 'db' | 'clock' | 'config'> & { readonly upstreams: Upstreams }

/**
 * Opens a session for a signed message. Checks its form, its fields, its nonce and the signature; a
 * failure names the field. Throws RPC_UNAVAILABLE if a contract has to be called and no node
 * answers.
 */
export async function signIn(
  area: Area,
  {
    signed,
    page,
    keep,
  }: {
    readonly signed: { readonly message: string; readonly signature: string }
    readonly page: SiwxPage
    readonly keep: 'token' | 'cookie'
  },
) {
  const parsed = parseSiwxMessage(signed.message)
  if ('fault' in parsed) return refuse(parsed.fault)
  const { message } = parsed
  const domain = new URL(page.origin).host
  const nowMs = area.clock()
  const field = checkSiwxMessage(message, { domain, nonce: message.nonce, nowMs })
  if (field !== undefined) return refuse(field)
  const text = { chainId: message.chainId, address: message.accountAddress, ...signed }
  const byKey = isSignedByKey(text)
  if (!byKey) {
    // A nonce belongs to the first account that sent it, even without a valid signature.
    if (!(await bindNonce(area, { message, page }))) return refuseNonce(area, { message, page })
    if (!(await isByContract(area, text))) {
      const reason = explainRefusal(text)
      const { failure } =
        reason === undefined ? refuse('signature') : refuseFor('signature', reason)
      return { failure: { ...failure, status: 401 as const } }
    }
  }
  return (
    (await openSiwxSession(area, { message, page, keep, byKey })) ??
    refuseNonce(area, { message, page })
  )
}

async function refuseNonce(area: Area, signed: SignedPage): Promise<{ readonly failure: Failure }> {
  return { failure: badRequest('nonce', nonceTexts[await findNonceFault(area, signed)]) }
}

/** Signed by the contract at the address, on a network of this server. */
const isByContract = async ({ upstreams, config }: Area, text: SignedText): Promise<boolean> =>
  config.chains[text.chainId] !== undefined && isSignedByContract({ upstreams }, text)

const refuse = (field: string) =>
  refuseFor(field, `The ${field} of the sign-in message is not valid`)

const refuseFor = (field: string, reason: string): { readonly failure: Failure } => ({
  failure: badRequest(field, reason),
})

const nonceTexts = {
  unknown: 'The nonce is not one of this server, or was used. Sign in again',
  expired: 'The nonce has expired. Sign in again',
  elsewhere: 'The nonce was given to another page',
  taken: 'The nonce was used with another account. Sign in again',
} as const
