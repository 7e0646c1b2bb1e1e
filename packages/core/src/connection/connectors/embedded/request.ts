import { type ChainId, getMethodTreatment, isError, LatchkeyError } from '@latchkey/wire'
import { isValidAnswer } from '../../../namespaces/eip155/embedded/isValidAnswer.ts'
import { toFrameChain } from './getUser.ts'
import type { EmbeddedParameters } from './parameters.ts'

type Question = {
  chainId: ChainId
  method: string
  params: readonly unknown[] | object | undefined
}

/**
 * A request to the embedded wallet: what is safe is answered silently, what is not waits for a person. Throws
 * REQUEST_NOT_ALLOWED, USER_REJECTED, ABORTED, RATE_LIMITED, CHAIN_NOT_SUPPORTED, WALLET_ANSWER_INVALID and the like.
 */
export async function requestFromWallet(
  parameters: EmbeddedParameters,
  question: Question,
): Promise<unknown> {
  const { chainId, method } = question
  if (method === 'eth_chainId') return toHex(currentChain(parameters, chainId))
  if (method === 'wallet_switchEthereumChain') return switchChain(parameters, question)
  if (method === 'wallet_addEthereumChain')
    throw new LatchkeyError('UNSUPPORTED_METHOD', { data: { method } })
  // Whoever is connected has said yes already.
  const known =
    method === 'eth_requestAccounts' ? { ...question, method: 'eth_accounts' } : question
  const treatment = getMethodTreatment(known.method)
  if (treatment === 'refused') return parameters.refuse()
  if (treatment === 'safe') return send(parameters, known, {})
  return parameters.approve(async (signal) => {
    const answer = await send(parameters, known, { timeoutMs: null, signal }).catch(throwAsAborted)
    if (!isValidAnswer(method, answer)) throw new LatchkeyError('WALLET_ANSWER_INVALID')
    return answer
  })
}

// A frame that goes away takes its open requests with it.
function throwAsAborted(cause: unknown): never {
  throw isError(cause, 'CHANNEL_CLOSED') ? new LatchkeyError('ABORTED', { cause }) : cause
}

async function send(
  parameters: EmbeddedParameters,
  { chainId, method, params }: Question,
  options: { timeoutMs?: number | null; signal?: AbortSignal },
): Promise<unknown> {
  const frame = await parameters.frame()
  const chainNamespace = chainId.startsWith('solana:') ? 'solana' : 'eip155'
  return frame.request(
    'APP_RPC_REQUEST',
    {
      method,
      chainId: toFrameChain(chainId),
      chainNamespace,
      ...(params !== undefined && { params: withHexNumbers(params) }),
    },
    options,
  )
}

async function switchChain(parameters: EmbeddedParameters, { params }: Question): Promise<null> {
  const [wanted] = Array.isArray(params) ? (params as unknown[]) : []
  const { chainId } = (wanted ?? {}) as { chainId?: unknown }
  if (typeof chainId !== 'string' || !/^0x[0-9a-fA-F]{1,13}$/.test(chainId))
    throw new LatchkeyError('INVALID_PARAMS', { data: { reason: 'chainId is not a hex number' } })
  const frame = await parameters.frame()
  await frame.request('APP_SWITCH_NETWORK', { chainId: Number(chainId) })
  parameters.storage.set('lastUsedChainId', `eip155:${Number(chainId)}`)
  return null
}

/** The chain it is on: where it was switched to, which the page may not have taken over yet. */
function currentChain({ storage }: EmbeddedParameters, chainId: ChainId): ChainId {
  const last = storage.get('lastUsedChainId')
  return last?.startsWith('eip155:') ? last : chainId
}

const toHex = (chainId: ChainId) => `0x${Number(chainId.split(':')[1]).toString(16)}`

/** Params as JSON; a bigint becomes hex, as in JSON-RPC. */
function withHexNumbers(params: readonly unknown[] | object): unknown {
  try {
    return JSON.parse(
      JSON.stringify(params, (_key, value: unknown) =>
        typeof value === 'bigint' ? `0x${value.toString(16)}` : value,
      ),
    )
  } catch (cause) {
    throw new LatchkeyError('INVALID_PARAMS', { data: { reason: 'not JSON' }, cause })
  }
}
