import { maxRiskAddresses, readRisksRoute } from '@latchkey/wire'
import type * as z from 'zod/mini'
import { postWithoutProof } from '../pages/postWithoutProof.ts'

/**
 * The known risks of a site and of addresses, from our server. `blockList` is `missing` if our
 * server did not respond.
 */
export type Risks = z.output<(typeof readRisksRoute)['result']>

export type FetchRisks = (asked: {
  origin: string
  chainId?: string
  addresses: readonly string[]
}) => Promise<Risks>

const timeoutMs = 2_000
const missing: Risks = { blockList: 'missing', listed: [], young: [] }

/** Requests the risks from our server. Never throws, and waits two seconds at most. */
export const fetchRisks: FetchRisks = ({ addresses, ...asked }) => {
  const late = new Promise<Risks>((resolve) => setTimeout(() => resolve(missing), timeoutMs))
  const body = { ...asked, addresses: addresses.slice(0, maxRiskAddresses) }
  return Promise.race([postWithoutProof(readRisksRoute, body).catch(() => missing), late])
}
