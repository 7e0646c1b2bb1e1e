import { type ChainId, LatchkeyError, parseBoundedJson } from '@latchkey/wire'
import type { SessionAccess } from '../../requestHandlers.ts'
import { toHexChainId } from '../chainId.ts'

/** Capabilities that a session's properties may contain directly (CAIP-25). */
const inProperties = [
  'atomic',
  'atomicBatch',
  'flow-control',
  'paymasterService',
  'sessionKeys',
  'auxiliaryFunds',
]

/**
 * Address and hex chain ids of a wallet_getCapabilities request. Throws
 * MISSING_CAPABILITIES_ADDRESS.
 */
export function parseCapabilitiesRequest(params: unknown): { address: string; chainIds: string[] } {
  const [address, chainIds] = Array.isArray(params) ? (params as unknown[]) : []
  if (typeof address !== 'string' || address === '')
    throw new LatchkeyError('MISSING_CAPABILITIES_ADDRESS')
  const isText = (id: unknown): id is string => typeof id === 'string'
  return { address, chainIds: Array.isArray(chainIds) ? chainIds.filter(isText) : [] }
}

/** The key of a wallet's stored result in its session's properties. */
export const capabilityKey = (question: { address: string; chainIds: readonly string[] }) =>
  `${question.address}${question.chainIds.join(',')}`

/**
 * The capabilities already in a session: a stored result, or else those in its properties, by hex
 * chain id.
 */
export function knownCapabilities(
  session: Partial<Pick<SessionAccess, 'sessionProperties' | 'scopedProperties'>>,
  parameters: {
    question: ReturnType<typeof parseCapabilitiesRequest>
    chainIds: readonly ChainId[]
  },
): unknown {
  const { question, chainIds } = parameters
  const saved = getOwn(toObject(session.sessionProperties?.capabilities), capabilityKey(question))
  if (saved !== undefined) return saved
  const general = pickCapabilities(session.sessionProperties)
  const capabilities: Record<string, object> = {}
  for (const chainId of chainIds) {
    const scoped = [chainId, `${chainId}:${question.address}`].map((key) =>
      pickCapabilities(toObject(getOwn(session.scopedProperties, key))),
    )
    const all = Object.assign({}, general, ...scoped) as object
    if (Object.keys(all).length > 0) capabilities[toHexChainId(chainId)] = all
  }
  return Object.keys(capabilities).length > 0 ? capabilities : undefined
}

function pickCapabilities(properties: Readonly<Record<string, unknown>> | undefined) {
  const found: Record<string, unknown> = {}
  for (const name of inProperties) {
    const value = getOwn(properties, name)
    if (value !== undefined) found[name] = typeof value === 'string' ? parsed(value) : value
  }
  return found
}

const getOwn = (value: Readonly<Record<string, unknown>> | undefined, key: string) =>
  value && Object.hasOwn(value, key) ? value[key] : undefined

/** An object, also if it is encoded as JSON. */
function toObject(value: unknown): Record<string, unknown> | undefined {
  const found = typeof value === 'string' ? parsed(value) : value
  return typeof found === 'object' && found !== null && !Array.isArray(found)
    ? (found as Record<string, unknown>)
    : undefined
}

function parsed(text: string): unknown {
  try {
    return parseBoundedJson(text)
  } catch {
    return text
  }
}
