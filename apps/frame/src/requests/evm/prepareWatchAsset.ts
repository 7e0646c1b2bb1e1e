import {
  formatUnits,
  isBait,
  LatchkeyError,
  omitNulls,
  readRisksRoute,
  toLatin,
} from '@latchkey/wire'
import type { Hex } from 'viem'
import * as z from 'zod/mini'
import { watchTexts as t } from '../../locales/watch.en.ts'
import { type ApprovalRequest, type PreparedApproval, placeRows } from '../approvalRequest.ts'
import { tokenWarnings } from '../getWarnings.ts'
import { invalidParameters } from '../params.ts'
import { type OnChainToken, readOnChainTokens } from '../readToken.ts'
import { caution, danger } from '../warning.ts'

const asked = z.object({
  type: z.literal('ERC20'),
  options: z.object({ address: z.string().check(z.regex(/^0x[0-9a-f]{40}$/i)) }),
})

/**
 * wallet_watchAsset (EIP-747): lists an ERC-20 token for the account. Symbol, decimals and balance
 * come from the chain; the page's values and image are ignored. Throws INVALID_PARAMS if the
 * address is not an ERC-20 token, and RPC_UNAVAILABLE if no node answers.
 */
export async function prepareWatchAsset(request: ApprovalRequest): Promise<PreparedApproval> {
  const { chain, accounts, calls, read, signal } = request
  const token = readAddress(request.params)
  const tokens = await readOnChainTokens({ read, chain, account: accounts.eip155, signal }, [token])
  const facts = tokens.get(token)
  const { symbol, decimals, balance } = facts ?? {}
  if (decimals === undefined && !facts?.isDisputed)
    throw facts?.isUnread
      ? new LatchkeyError('RPC_UNAVAILABLE', { data: { chain: chain.name } })
      : invalidParameters('options.address')
  const isBait = facts !== undefined && readsLikeBait(facts)
  return {
    view: {
      title: t.title,
      action: t.action,
      groups: [],
      rows: [
        ...(symbol !== undefined && !isBait ? [{ label: t.symbol, value: symbol }] : []),
        { label: t.contract, address: token },
        ...(decimals === undefined ? [] : [{ label: t.decimals, value: String(decimals) }]),
        ...(decimals === undefined || balance === undefined
          ? []
          : [{ label: t.held, value: formatUnits(balance, decimals) }]),
      ],
      place: placeRows(request),
      warnings: [
        ...tokenWarnings(request, { kind: 'units', token, amount: 0n }, facts),
        ...((await isMisnamed(request, token)) ? [danger(t.misnamed)] : []),
        caution(t.anyName),
      ],
      ...(isBait && { blocked: t.bait }),
    },
    async approve() {
      await calls.watched.add(chain.id, token)
      return true
    },
  }
}

/**
 * Whether our server reports that the token copies another token's name or has a lure as its name.
 * Without a response, only the other warnings are shown.
 */
async function isMisnamed({ post, origin, chain }: ApprovalRequest, token: Hex): Promise<boolean> {
  const asked = { origin, chainId: chain.id, addresses: [token] }
  const risks = await post(readRisksRoute, asked).catch(() => undefined)
  return risks?.misnamed?.includes(token) === true
}

/**
 * The address of the token, in lower case. Pages send the parameters as an object or as a list with
 * one object.
 */
function readAddress(params: unknown): Hex {
  const given: unknown = Array.isArray(params) ? params[0] : params
  const parsed = z.safeParse(asked, omitNulls(given))
  if (parsed.success) return parsed.data.options.address.toLowerCase() as Hex
  throw invalidParameters(parsed.error.issues[0]?.path.join('.') || 'params')
}

const lures = /claim|visit|reward|airdrop|voucher|giveaway|redeem|winner/

/**
 * Whether a symbol contains a sentence, a website address or a lure, also in letters that look like
 * Latin ones. Symbols of real tokens are one word, and a dot in them is followed by one letter
 * (`USDC.e`).
 */
function readsLikeBait({ symbol = '' }: OnChainToken): boolean {
  const plain = toLatin(symbol)
    .toLowerCase()
    .replace(/[·。•∙‧⸱・۔܁]/g, '.')
  const letters = plain.replace(/[^a-z]/g, '')
  return isBait(symbol) || /\s|[:/@]|\.\p{L}{2}|www|http/u.test(plain) || lures.test(letters)
}
