import { LatchkeyError } from '@latchkey/wire'
import { answerConnect, readConnectRequest } from '@latchkey/wire/siwx'
import type { ChainRequest, RequestHandlers } from '../../requestHandlers.ts'
import { parseEvmChainId, toHexChainId } from '../chainId.ts'
import { checkPermissionsRequest, toPermissions } from '../provider/accountPermissions.ts'

/** The handlers of requests that are not simply forwarded to the secure frame. */
export const evmFrameResults: RequestHandlers['embedded'] = {
  eth_chainId: async ({ chainId }) => toHexChainId(chainId),
  // A connected user has already agreed.
  eth_requestAccounts: ({ ask }, request) => ask({ ...request, method: 'eth_accounts' }),
  async wallet_connect({ ask }, request) {
    const asked = readConnectRequest(request.params)
    const accounts = await ask({ ...request, method: 'eth_accounts', params: [] })
    return answerConnect(asked, {
      accounts: accounts as string[],
      href: globalThis.location?.href,
      nowMs: Date.now(),
      sign: (params) => ask({ ...request, method: 'personal_sign', params }),
    })
  },
  wallet_getPermissions: getPermissions,
  async wallet_requestPermissions(access, request) {
    checkPermissionsRequest(request.params)
    return getPermissions(access, request)
  },
  async wallet_switchEthereumChain({ switchTo }, { params }) {
    const [parameter] = Array.isArray(params) ? (params as unknown[]) : []
    const { chainId } = (parameter ?? {}) as { chainId?: unknown }
    const isHex = typeof chainId === 'string' && chainId.startsWith('0x')
    const id = isHex ? parseEvmChainId(chainId) : undefined
    if (!id)
      throw new LatchkeyError('INVALID_PARAMS', { data: { reason: 'chainId is not a hex number' } })
    await switchTo(id)
    return null
  },
  wallet_addEthereumChain: refuse,
  // The modal shows the status.
  wallet_showCallsStatus: refuse,
}

type Access = Parameters<RequestHandlers['embedded'][string]>[0]

async function getPermissions({ ask }: Access, request: ChainRequest): Promise<object[]> {
  return toPermissions((await ask({ ...request, method: 'eth_accounts', params: [] })) as string[])
}

async function refuse(_access: unknown, { method }: ChainRequest): Promise<never> {
  throw new LatchkeyError('UNSUPPORTED_METHOD', { data: { method } })
}
