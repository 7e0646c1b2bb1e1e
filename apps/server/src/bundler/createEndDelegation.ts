import { permissionContracts } from '@latchkey/wire/permissions'
import type { Address } from 'viem'
import { recoverAuthorizationAddress } from 'viem/utils'
import * as z from 'zod'
import { hexQuantity } from '../evm/schemas.ts'
import { BundlerError } from './bundlerError.ts'
import { getRevocationCost } from './bundles/buildRevocations.ts'
import type { ChainOperator } from './bundles/runBundlerLoop.ts'
import type { ChainBundler } from './chainBundler.ts'
import { getNumber } from './operations/checkOperation.ts'
import { feeQuestions, readRates } from './operations/market.ts'
import { getDelegation } from './operations/simulate.ts'
import {
  type Authorization,
  authorization,
  isCanonical,
  toAuthorization,
} from './operations/userOperation.ts'
import { type SponsorshipBudget, spendBudget } from './sponsorship/sponsorshipBudget.ts'

/** An account and its claimed authorization, in JSON-RPC form. */
export type RevocationRequest = { readonly account: Address; readonly authorization: unknown }

/** Ends the delegation of an account. Throws BundlerError, RPC_UNAVAILABLE. */
export type EndDelegation = (given: RevocationRequest) => Promise<void>

const code = z.string().regex(/^0x[0-9a-f]*$/i)

/**
 * The operator's own bundler sends the authorization by which an account no longer delegates to our
 * contract, and pays for it: the cost at current fees counts towards the limits of the account and
 * the day. Nothing else can be sent this way: only a delegation to the zero address, for this
 * network, by an account that delegates now, with its next nonce. Only one such authorization per
 * account is sent at a time.
 */
export function createEndDelegation(
  chain: ChainBundler,
  { budget, operator }: { budget: SponsorshipBudget; operator: Pick<ChainOperator, 'revoke'> },
): EndDelegation {
  const running = new Map<Address, Promise<void>>()
  return async ({ account: shown, authorization: untrusted }) => {
    const parsed = authorization.safeParse(untrusted)
    if (!parsed.success) throw wrong('is not valid')
    const given = { account: shown.toLowerCase() as Address, authorization: parsed.data }
    const { account } = given
    await assertSigned(chain, given)
    const known = running.get(account)
    if (known) return known
    const work = revoke(chain, { ...given, budget, operator })
    running.set(account, work)
    try {
      await work
    } finally {
      running.delete(account)
    }
  }
}

type RevocationParameters = { readonly account: Address; readonly authorization: Authorization }

async function revoke(
  chain: ChainBundler,
  {
    account,
    authorization,
    budget,
    operator,
  }: RevocationParameters & { budget: SponsorshipBudget; operator: Pick<ChainOperator, 'revoke'> },
): Promise<void> {
  const { ask, trustedDelegate } = chain
  const [codeReply, nonceReply, ...rates] = await ask([
    { method: 'eth_getCode', params: [account, 'latest'] },
    { method: 'eth_getTransactionCount', params: [account, 'latest'] },
    ...feeQuestions,
  ])
  const ours = [trustedDelegate, permissionContracts.account].map((one) => getDelegation(one))
  if (!ours.some((one) => one.toLowerCase() === code.parse(codeReply?.result).toLowerCase()))
    throw wrong('the account does not delegate to our contract')
  const nonce = hexQuantity.parse(nonceReply?.result)
  if (authorization.nonce !== nonce) throw wrong(`nonce must be ${nonce}`)
  await spendBudget(budget, {
    account,
    cost: await getRevocationCost(chain, authorization, readRates(rates, getNumber(chain))),
  })
  await operator.revoke(authorization)
}

/** The zero address, on this network alone, by the account itself. */
async function assertSigned(
  chain: ChainBundler,
  { account, authorization }: RevocationParameters,
): Promise<void> {
  if (BigInt(authorization.address) !== 0n) throw wrong('address must be zero')
  if (Number(authorization.chainId) !== getNumber(chain))
    throw wrong('chainId is for another network')
  if (!isCanonical(authorization)) throw wrong('s is too large')
  const found = await recoverAuthorizationAddress({
    authorization: toAuthorization(authorization),
  }).catch(() => undefined)
  if (found?.toLowerCase() !== account) throw wrong('is not signed by the account')
}

const wrong = (text: string) => new BundlerError('invalidParams', `authorization: ${text}`)
