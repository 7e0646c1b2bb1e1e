import {
  checkSiwxMessage,
  explainRefusal,
  parseSiwxMessage,
  type SignedText,
} from '@latchkey/wire/siwx'
import { badRequest, HttpFailure } from '../http/failure.ts'
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

type SignInDeps = Pick<Services, 'db' | 'clock' | 'config'> & { readonly upstreams: Upstreams }

/**
 * Opens a session for a signed message. Checks its form, its fields, its nonce and the signature;
 * throws {@link HttpFailure} with the field. Throws RPC_UNAVAILABLE if a contract has to be called
 * and no node answers.
 */
export async function signIn(
  deps: SignInDeps,
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
  if ('fault' in parsed) throw refuse(parsed.fault)
  const { message } = parsed
  const domain = new URL(page.origin).host
  const nowMs = deps.clock()
  const field = checkSiwxMessage(message, { domain, nonce: message.nonce, nowMs })
  if (field !== undefined) throw refuse(field)
  const text = { chainId: message.chainId, address: message.accountAddress, ...signed }
  const byKey = isSignedByKey(text)
  if (!byKey) {
    // A nonce belongs to the first account that sent it, even without a valid signature.
    if (!(await bindNonce(deps, { message, page })))
      throw await refuseNonce(deps, { message, page })
    if (!(await isByContract(deps, text))) {
      const description = explainRefusal(text) ?? invalid('signature')
      throw new HttpFailure({ status: 401, field: 'signature', description })
    }
  }
  const opened = await openSiwxSession(deps, { message, page, keep, byKey })
  if (opened === undefined) throw await refuseNonce(deps, { message, page })
  return opened
}

const refuseNonce = async (deps: SignInDeps, signed: SignedPage): Promise<HttpFailure> =>
  new HttpFailure(badRequest('nonce', nonceTexts[await findNonceFault(deps, signed)]))

/** Signed by the contract at the address, on a network of this server. */
const isByContract = async (
  { upstreams, config }: SignInDeps,
  text: SignedText,
): Promise<boolean> =>
  config.chains[text.chainId] !== undefined && isSignedByContract({ upstreams }, text)

const refuse = (field: string) => new HttpFailure(badRequest(field, invalid(field)))

const invalid = (field: string) => `The ${field} of the sign-in message is not valid`

const nonceTexts = {
  unknown: 'The nonce was not issued by this server, or was already used. Sign in again',
  expired: 'The nonce has expired. Sign in again',
  elsewhere: 'The nonce was issued to another page',
  taken: 'The nonce was used with another account. Sign in again',
} as const
