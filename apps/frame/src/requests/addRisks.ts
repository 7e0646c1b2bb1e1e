import { checksumAddress } from '@latchkey/wire'
import type { Hex } from 'viem'
import type { FetchRisks } from '../flows/fetchRisks.ts'
import { approvals } from '../locales/approvals.en.ts'
import { fill } from '../locales/en.ts'
import type { ApprovalRequest, PreparedApproval } from './approvalRequest.ts'
import { caution, danger } from './warning.ts'

type RiskContext = Pick<ApprovalRequest, 'origin' | 'chain'>

const t = approvals.warn
/** The server looks up the age of at most this many addresses per request. */
const maxEarly = 5
const pattern = /^(0x[0-9a-f]{40}|[1-9A-HJ-NP-Za-km-z]{32,44})$/i

/**
 * Adds our server's risk information about the site and the addresses that a request shows: dangers
 * for listed ones, cautions for new contracts. Changes nothing else, and wraps `recheck` and
 * `edit`, so that the requests that they return get the same treatment.
 */
export async function addRisks(
  prepared: PreparedApproval,
  given: { asked: RiskContext; fetchRisks: FetchRisks },
): Promise<PreparedApproval> {
  const { asked, fetchRisks } = given
  const { view, recheck, edit } = prepared
  const { origin, chain } = asked
  const addresses = listAddresses(view)
  const { blockList, listed, young } = await fetchRisks({ origin, chainId: chain.id, addresses })
  const isAsked = (address: string) => addresses.includes(address)
  const warnings = [
    ...(listed.includes(origin) ? [danger(t.siteListed)] : []),
    ...listed.filter(isAsked).map((address) => danger(fill(t.addressListed, { address }))),
    ...young
      .filter(({ address }) => isAsked(address))
      .map(({ address, ageSeconds }) => caution(formatAge(address, ageSeconds))),
  ]
  const unread = blockList === 'missing' ? [{ label: t.blockList, value: t.unasked }] : []
  return {
    ...prepared,
    view: { ...view, warnings: [...warnings, ...view.warnings], place: [...view.place, ...unread] },
    ...(recheck && {
      recheck: async () => {
        const changed = await recheck()
        return changed && addRisks(changed, given)
      },
    }),
    ...(edit && { edit: async (amount: bigint) => addRisks(await edit(amount), given) }),
  }
}

/**
 * Queries the site and the addresses in the page's parameters at once. The returned function
 * queries the other addresses of the prepared request when they are known.
 */
export function prefetchRisks(
  fetchRisks: FetchRisks,
  { asked: { origin, chain }, params }: { asked: RiskContext; params: unknown },
): FetchRisks {
  const found = JSON.stringify(params)?.match(/"0x[0-9a-f]{40}"/gi) ?? []
  const named = [...new Set(found.map((one) => checksumAddress(one.slice(1, -1))))].slice(
    0,
    maxEarly,
  )
  let early: ReturnType<FetchRisks> | undefined
  early = fetchRisks({ origin, chainId: chain.id, addresses: named })
  return async (given) => {
    const first = early
    // After the approval, and with another amount, everything is queried again.
    early = undefined
    if (!first) return fetchRisks(given)
    const others = given.addresses.filter((one) => !named.includes(one as Hex))
    if (others.length === 0) return first
    const [one, two] = await Promise.all([first, fetchRisks({ ...given, addresses: others })])
    return {
      blockList: one.blockList === 'missing' ? 'missing' : two.blockList,
      listed: [...new Set([...one.listed, ...two.listed])],
      young: [...one.young, ...two.young],
    }
  }
}

/** Lists every address that the request shows, including addresses in decoded data. */
function listAddresses({ transactions = [], ...view }: PreparedApproval['view']): string[] {
  const rows = [view, ...transactions].flatMap((one) => [
    ...one.groups.flatMap((group) => group.rows),
    ...one.rows,
  ])
  const shown = rows.flatMap(({ address, tree = [] }) => [
    address ?? '',
    ...tree.map(({ value }) => value),
  ])
  return [...new Set(shown.filter((one) => pattern.test(one)))]
}

const formatAge = (address: string, seconds: number) =>
  seconds < 86_400
    ? fill(t.madeToday, { address })
    : fill(t.made, { address, days: Math.floor(seconds / 86_400) })
