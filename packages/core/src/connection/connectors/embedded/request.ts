import {
  type ChainId,
  frameNamespaces,
  getMethodTreatment,
  isError,
  LatchkeyError,
  type Namespace,
  parseBoundedJson,
  parseChainId,
  toFrameChain,
} from '@latchkey/wire'
import { namespaceMetadata } from '../../../namespaces/namespaceMetadata.ts'
import type { ChainRequest, RequestHandlers } from '../../../namespaces/requestHandlers.ts'
import type { EmbeddedParameters } from './parameters.ts'
import { readDeployed, readDeployedAfter } from './readDeployed.ts'

/**
 * Handles a request to the embedded wallet: safe methods at once, all others after the user's
 * approval. Throws REQUEST_NOT_ALLOWED, USER_REJECTED, ABORTED, RATE_LIMITED, CHAIN_NOT_SUPPORTED,
 * WALLET_ANSWER_INVALID and other errors of the frame.
 */
export async function requestFromFrame(
  parameters: EmbeddedParameters,
  request: ChainRequest,
  addresses: (namespace: Namespace) => Promise<readonly string[]>,
): Promise<unknown> {
  const { namespace } = parseChainId(request.chainId)
  const rules = await namespaceMetadata[namespace].loadRequestHandlers?.()
  const { embedded = {} } = rules ?? {}
  const answer = Object.hasOwn(embedded, request.method) ? embedded[request.method] : undefined
  const ask = (other: ChainRequest) => askFrame(parameters, { request: other, rules })
  if (!answer) return ask(request)
  return answer(
    {
      chainId: currentChain(parameters, request.chainId),
      addresses: () => addresses(namespace),
      async switchTo(chainId) {
        await switchEmbeddedChain(parameters, chainId)
        parameters.emit({ type: 'chainChanged', chainId })
      },
      ask,
    },
    request,
  )
}

type FrameRequest = { request: ChainRequest; rules: RequestHandlers | undefined }

async function askFrame(
  parameters: EmbeddedParameters,
  frameRequest: FrameRequest,
): Promise<unknown> {
  const { request, rules } = frameRequest
  const treatment = getMethodTreatment(request.method)
  if (treatment === 'refused') return parameters.refuse()
  const { chainId, method } = request
  if (treatment === 'safe') {
    const answer = await send(parameters, frameRequest, {})
    void readDeployedAfter(parameters, {
      chainId,
      hasEnded: rules?.isOverBatch?.(method, answer) === true,
    })
    return answer
  }
  return parameters.approve(async (signal) => {
    const answer = await send(parameters, frameRequest, { timeoutMs: null, signal }).catch(
      throwAsAborted,
    )
    if (rules?.isValidResult?.(request.method, answer) === false)
      throw new LatchkeyError('WALLET_ANSWER_INVALID')
    void readDeployedAfter(parameters, { chainId, hasEnded: true })
    return answer
  })
}

// If the frame is removed, its open requests end.
function throwAsAborted(cause: unknown): never {
  throw isError(cause, 'CHANNEL_CLOSED') ? new LatchkeyError('ABORTED', { cause }) : cause
}

async function send(
  parameters: EmbeddedParameters,
  { request: { chainId, method, params }, rules }: FrameRequest,
  options: { timeoutMs?: number | null; signal?: AbortSignal },
): Promise<unknown> {
  const frame = await parameters.frame()
  const { namespace } = parseChainId(chainId)
  const chainNamespace = frameNamespaces.find((each) => each === namespace)
  return frame.request(
    'APP_RPC_REQUEST',
    {
      method,
      chainId: toFrameChain(chainId),
      ...(chainNamespace && { chainNamespace }),
      ...(params !== undefined && { params: toJson(params, rules) }),
    },
    options,
  )
}

/** Has the frame go to another network. Throws CHAIN_NOT_SUPPORTED. */
export async function switchEmbeddedChain(
  parameters: EmbeddedParameters,
  chainId: ChainId,
): Promise<void> {
  const frame = await parameters.frame()
  await frame.request('APP_SWITCH_NETWORK', { chainId: toFrameChain(chainId) })
  parameters.storage.set('lastUsedChainId', chainId)
  void readDeployed(parameters, chainId)
}

/** The current chain: the last chain switched to, which the page may not have applied yet. */
function currentChain({ storage }: EmbeddedParameters, chainId: ChainId): ChainId {
  const last = storage.get('lastUsedChainId')
  return last?.startsWith(`${parseChainId(chainId).namespace}:`) ? last : chainId
}

/** Params as JSON, with a bigint in the namespace's format. */
function toJson(params: readonly unknown[] | object, rules: RequestHandlers | undefined): unknown {
  try {
    return parseBoundedJson(
      JSON.stringify(params, (_key, value: unknown) =>
        typeof value === 'bigint' && rules ? rules.formatBigint(value) : value,
      ),
    )
  } catch (cause) {
    throw new LatchkeyError('INVALID_PARAMS', { data: { reason: 'not JSON' }, cause })
  }
}
