import type { App, Network } from '@latchkey/core'
import { anySignal, supportedChainsRoute } from '@latchkey/wire'

/** How often the API is probed. */
export const apiEveryMs = 15_000
/** The timeout of a probe. */
const patienceMs = 5_000

const within = (signal: AbortSignal) => anySignal([signal, AbortSignal.timeout(patienceMs)])

type NodeProbe = { network: Network; signal: AbortSignal }

/** The RPC method that returns the block height of a network. */
const heightMethods: Partial<Record<Network['chainNamespace'], string>> = {
  eip155: 'eth_blockNumber',
  solana: 'getBlockHeight',
}

/** Networks whose nodes provide the Esplora REST API. */
const isEsplora = ({ chainNamespace }: Network) => chainNamespace === 'bip122'

/** Whether the server can have a node of a network to probe. */
export const canProbe = (network: Network): boolean =>
  isEsplora(network) || heightMethods[network.chainNamespace] !== undefined

/** The newest block of a network according to our server. Throws if the server does not answer. */
export const probeBlock = (app: App, probe: NodeProbe): Promise<bigint> =>
  isEsplora(probe.network) ? probeEsplora(app, probe) : probeRpc(app, probe)

async function probeRpc(app: App, { network, signal }: NodeProbe): Promise<bigint> {
  const method = heightMethods[network.chainNamespace]
  if (method === undefined) throw new Error(`${network.name} has no RPC`)
  const query = new URLSearchParams({
    chainId: network.caipNetworkId,
    projectId: app.config.projectId,
  })
  const response = await app.environment.fetch(`${app.config.apiUrl}/v1/?${query}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [] }),
    signal: within(signal),
  })
  return parseBlock(await response.json())
}

async function probeEsplora(app: App, { network, signal }: NodeProbe): Promise<bigint> {
  const query = new URLSearchParams({ projectId: app.config.projectId })
  const url = `${app.config.apiUrl}/v1/esplora/${network.caipNetworkId}/blocks/tip/height?${query}`
  const response = await app.environment.fetch(url, { signal: within(signal) })
  const height = await response.text()
  if (!response.ok || !/^\d{1,15}$/.test(height))
    throw new Error('The answer holds no block number')
  return BigInt(height)
}

/** The block number in a JSON-RPC response. Throws if the response contains none. */
function parseBlock(answer: unknown): bigint {
  const result =
    typeof answer === 'object' && answer !== null && 'result' in answer ? answer.result : undefined
  if (typeof result === 'number' && Number.isSafeInteger(result) && result >= 0)
    return BigInt(result)
  if (typeof result !== 'string' || !/^0x[0-9a-f]{1,16}$/i.test(result))
    throw new Error('The answer holds no block number')
  return BigInt(result)
}

/**
 * The response time of the server's API in ms, and the networks that it has a node for (CAIP-2).
 * Throws if the server does not answer.
 */
export async function probeApi(
  app: App,
  { signal }: { signal: AbortSignal },
): Promise<{ ms: number; served: readonly string[] }> {
  const start = app.environment.now()
  const query = new URLSearchParams({ projectId: app.config.projectId })
  const response = await app.environment.fetch(
    `${app.config.apiUrl}${supportedChainsRoute.path}?${query}`,
    { signal: within(signal) },
  )
  if (!response.ok) throw new Error(`HTTP status ${response.status}`)
  const { http, features = {} } = supportedChainsRoute.result.parse(await response.json())
  const served = [...new Set([...http, ...Object.keys(features)])]
  return { ms: Math.max(1, app.environment.now() - start), served }
}
